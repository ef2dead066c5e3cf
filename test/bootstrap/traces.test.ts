import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { AsaasDouble } from '../doubles/asaas.ts';
import { InsurerDouble } from '../doubles/insurer.ts';
import { attributesOf, Collector, type ExportedSpan, KIND } from '../support/collector.ts';
import { serviceOn } from '../support/market.ts';
import {
  address,
  artistOrderToday,
  creditCard,
  phoneOrder,
  SECRET_CARD,
} from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, type ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const PHONE = '/seguros/seguro-celular';
const ARTIST = '/seguros/artista-protegido';

/** The caller's trace and span. */
const [CALLER_TRACE, CALLER_SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

/** Prints the name of each module of OpenTelemetry that a process loads. */
const TELL_MODULES = `
  import { registerHooks } from 'node:module';
  const resolve = (name, context, next) => {
    if (name.startsWith('@opentelemetry/')) process.stderr.write('loads ' + name + '\\n');
    return next(name, context);
  };
  registerHooks({ resolve });`;

describe('traces', () => {
  const [asaas, insurer, collector] = [new AsaasDouble(), new InsurerDouble(), new Collector()];
  const services: ServiceProcess[] = [];
  let database: string;
  let endpoint: string;
  let providers: { readonly asaas: string; readonly insurer: string };
  let credentials: { client_id: string; client_secret: string } | undefined;
  before(async () => {
    database = await sharedPostgres.migratedDatabase();
    endpoint = await collector.start();
    providers = { asaas: await asaas.start(), insurer: await insurer.start() };
  });
  after(async () => {
    await Promise.all(services.map((each) => each.end('SIGKILL')));
    for (const each of [asaas, insurer, collector]) each.stop();
  });
  beforeEach(() => {
    collector.received.length = 0;
    collector.answer = { status: 200, body: {} };
  });

  const start = async (over: object): Promise<ServiceProcess> => {
    const service = serviceOn({ database, ...providers }, over);
    services.push(service);
    await service.ready();
    credentials ??= service.credentials('Demo partner');
    asaas.set({ webhook: `${service.address}/webhooks/payments/asaas` });
    return service;
  };
  const traced = (over: object = {}): Promise<ServiceProcess> =>
    start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '50', ...over });
  const partnerOf = ({ address: url }: ServiceProcess) => new Partner(`${url}/api`, credentials);

  const sell = async (
    service: ServiceProcess,
    order: object,
    headers: Record<string, string>,
    product = PHONE,
  ): Promise<string> => {
    const partner = partnerOf(service);
    const init = { method: 'POST', body: JSON.stringify(order), headers };
    const trySale = async () => {
      const token = await partner.token();
      return { token, answer: await partner.call(`${product}/create`, token, init) };
    };
    // A process that has just started on a busy machine may answer 503.
    const { token, answer } = await within(trySale, (tried) => tried.answer.ok);
    expect(answer.status, await answer.text()).to.equal(200);
    return token;
  };
  const findSpan = async (fits: (span: ExportedSpan) => boolean): Promise<ExportedSpan> => {
    const found = await within(async () => collector.spans.find(fits), Boolean);
    if (found === undefined)
      throw new Error(`not among ${collector.spans.map(({ name }) => name).join(', ')}`);
    return found;
  };
  const childrenOf = ({ spanId }: ExportedSpan, kind: number): readonly string[] =>
    collector.spans
      .filter((span) => span.parentSpanId === spanId && span.kind === kind)
      .map(({ name }) => name);

  it('of a sale lead from the caller by its request and its job to gateway and insurer', async () => {
    const common = {
      OTEL_SERVICE_NAME: 'seguros',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of-the-tests',
      SECRETS_KEY: randomBytes(32).toString('base64'),
    };
    const service = await traced({ ...common, ROLE: 'web' });
    const worker = await traced({ ...common, ROLE: 'worker' });
    const traceparent = `00-${CALLER_TRACE}-${CALLER_SPAN}-01`;
    await sell(service, artistOrderToday(), { 'X-Request-Id': 'order-1', traceparent }, ARTIST);

    const request = await findSpan(
      (span) =>
        span.parentSpanId === CALLER_SPAN &&
        attributesOf(span)['http.response.status_code'] === 200,
    );
    expect(request).to.include({ traceId: CALLER_TRACE, name: `POST ${ARTIST}/create` });
    expect(request.kind).to.equal(KIND.server);
    expect(attributesOf(request)).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': `${ARTIST}/create`,
      'http.response.status_code': 200,
      'request.id': 'order-1',
    });
    expect(childrenOf(request, KIND.client)).to.include.members([
      'sales.register',
      'asaas charge',
      'http propose',
    ]);

    await rowsIn(database, 'update jobs.job set start_after = now() where start_after > now()');
    const job = await findSpan(({ name }) => name === 'process resume-sale');
    expect(job).to.deep.include({ traceId: CALLER_TRACE, kind: KIND.consumer });
    expect(attributesOf(job)).to.include({ 'request.id': 'order-1' });
    const look = await findSpan(
      ({ name, parentSpanId }) => name === 'asaas find_charges' && parentSpanId === job.spanId,
    );
    expect(look.traceId).to.equal(CALLER_TRACE);
    expect(attributesOf(look)).to.include({ 'provider.outcome': 'answered' });

    const [sent] = collector.received;
    expect(sent?.path).to.equal('/v1/traces');
    expect(sent?.headers['x-collector-key']).to.equal('of-the-tests');
    expect(collector.resources[0]).to.include({ 'service.name': 'seguros' });
    const processes = new Set(collector.resources.map((each) => each['process.pid']));
    expect(processes).to.deep.equal(new Set([service.pid, worker.pid]));
    const toProviders = [...asaas.asked, ...insurer.asked];
    expect(toProviders.filter(({ headers }) => 'traceparent' in headers)).to.deep.equal([]);
    await Promise.all([service.end(), worker.end()]);
  });

  it('of requests without login begin here, and the sampler decides here', async () => {
    const service = await traced({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    const traceparent = `00-${CALLER_TRACE}-${CALLER_SPAN}-01`;
    const ask = async (path: string, authorization: Record<string, string>): Promise<void> => {
      const headers = { traceparent, ...authorization };
      await (await fetch(`${service.address}${path}`, { headers })).arrayBuffer();
    };
    for (const path of ['/health/ready', '/openapi.json', '/nowhere', `/api${PHONE}/status/1`])
      for (const authorization of [{}, { Authorization: 'Bearer none' }])
        await ask(path, authorization);
    await sell(service, phoneOrder(), { 'X-Request-Id': 'order-6', traceparent });
    await findSpan((span) => attributesOf(span)['request.id'] === 'order-6');
    await service.end();
    const requests = collector.spans.filter(({ kind }) => kind === KIND.server);
    expect(new Set(requests.map(({ name }) => name))).to.deep.equal(
      new Set([`POST ${PHONE}/create`]),
    );
  });

  it('hold no personal data, no card, no secret, no path and no client', async () => {
    const service = await traced();
    const order = phoneOrder({ address, creditCard: creditCard() });
    const token = await sell(service, order, { 'X-Request-Id': 'order-2' });
    const [sale] = await rowsIn<{ ticket: string }>(
      database,
      'select ticket from sale order by id desc limit 1',
    );
    const path = `${PHONE}/status/${sale?.ticket}?q=sought`;
    await partnerOf(service).call(path, token);
    await partnerOf(service).call('/nowhere/maria%40example.com', token);
    await findSpan(({ name }) => name === `GET ${PHONE}/status/{ticket}`);
    await service.end();

    const everything = JSON.stringify(collector.received.map(({ body }) => body));
    expect(everything).to.include('order-2').and.to.include('charge');
    const secrets = [
      ...['Maria', 'Silva', '52998224725', '529.982.247-25', '98765-4321', '98765', '@example.com'],
      ...['Rua das Flores', SECRET_CARD.number, token, 'sought', 'nowhere', 'canal-demo'],
      ...[sale?.ticket, credentials?.client_id, credentials?.client_secret, asaas.key],
      insurer.token,
    ];
    for (const secret of secrets) {
      expect(secret).to.be.a('string').with.length.above(4);
      expect(everything).not.to.include(secret);
    }
  });

  it('are sent before a process ends, by each of several processes', async () => {
    const service = await traced({ OTEL_BSP_SCHEDULE_DELAY: '600000', WEB_CONCURRENCY: '2' });
    await sell(service, phoneOrder(), { 'X-Request-Id': 'order-3' });
    expect(collector.received).to.deep.equal([]);
    expect(await service.end()).to.equal(0);
    const ids = collector.spans.map((span) => attributesOf(span)['request.id']);
    expect(ids).to.include('order-3');
  });

  it('are dropped with one log line while the collector hangs or refuses', async () => {
    collector.answer = 'hang';
    const service = await traced({ OTEL_EXPORTER_OTLP_TIMEOUT: '200' });
    const failure = /"msg":"traces were not sent to the collector"/;
    await sell(service, phoneOrder(), { 'X-Request-Id': 'order-4' });
    await service.logged(failure);

    collector.answer = { status: 400, body: {} };
    const refused = async () => {
      await sell(service, phoneOrder(), {});
      return collector.received.length;
    };
    await within(refused, (count) => count >= 3);
    // After a success, a failure of before that is noticed late has a line of its own.
    expect(service.output.match(new RegExp(failure, 'g'))).to.have.length(1);
    collector.answer = { status: 200, body: {} };
    await sell(service, phoneOrder(), { 'X-Request-Id': 'order-5' });
    await findSpan((span) => attributesOf(span)['request.id'] === 'order-5');
    expect(await service.end()).to.equal(0);
    expect(service.output).to.match(/"fault":\{[^}]*\}[^\n]*traces were not sent/);
  });

  it('are neither made nor loaded without OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
    const tell = encodeURIComponent(TELL_MODULES);
    const NODE_OPTIONS = `--import data:text/javascript,${tell}`;
    const on = await traced({ NODE_OPTIONS });
    expect(on.errors).to.include('loads @opentelemetry/sdk-trace-node');

    const off = await start({ NODE_OPTIONS, OTEL_SERVICE_NAME: 'seguros' });
    await sell(off, phoneOrder(), { traceparent: `00-${CALLER_TRACE}-${CALLER_SPAN}-01` });
    expect(off.errors).not.to.include('loads @opentelemetry');
    const stored = await rowsIn<{ data: object }>(
      database,
      `select data from jobs.job where name = 'resume-sale' order by created_on desc limit 1`,
    );
    expect(stored.map(({ data }) => 'traceparent' in data)).to.deep.equal([false]);
  });
});
