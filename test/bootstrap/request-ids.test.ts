import { expect } from 'chai';
import { AsaasDouble } from '../doubles/asaas.ts';
import { InsurerDouble } from '../doubles/insurer.ts';
import { serviceOn } from '../support/market.ts';
import { address, artistOrderToday, creditCard, phoneOrder } from '../support/orders.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, type ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const ARTIST = '/seguros/artista-protegido/create';
const PHONE = '/seguros/seguro-celular/create';

interface Job {
  readonly id: string;
  readonly name: string;
  readonly data: { readonly saleId?: number; readonly requestId?: string };
}

interface Line {
  readonly msg: string;
  readonly route?: string;
  readonly requestId?: string;
  readonly alert?: { readonly kind: string };
}

describe('the id of a request', () => {
  const [asaas, insurer] = [new AsaasDouble(), new InsurerDouble()];
  let database: string;
  let service: ServiceProcess;
  let partner: Partner;
  let token: string;
  before(async () => {
    database = await sharedPostgres.migratedDatabase();
    service = serviceOn({ database, asaas: await asaas.start(), insurer: await insurer.start() });
    await service.ready();
    partner = new Partner(`${service.address}/api`, service.credentials('Demo partner'));
    token = await partner.token();
    asaas.set({ webhook: `${service.address}/webhooks/payments/asaas` });
  });
  after(async () => {
    await service?.end('SIGKILL');
    asaas.stop();
    insurer.stop();
  });

  const sell = async (path: string, body: object, requestId: string): Promise<void> => {
    const headers = { 'Idempotency-Key': requestId, 'X-Request-Id': requestId };
    const answer = await partner.call(path, token, {
      method: 'POST',
      body: JSON.stringify(body),
      headers,
    });
    expect(answer.status, await answer.text()).to.equal(200);
  };
  const jobs = (name: string): Promise<readonly Job[]> =>
    rowsIn<Job>(database, 'select id::text, name, data from jobs.job where name = $1', [name]);
  const lines = (): readonly Line[] =>
    service.output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  /** The ids with which the gateway and the insurer were asked since the last call. */
  const askedWith = (): ReadonlySet<string | string[] | undefined> =>
    new Set(
      [...asaas.asked.splice(0), ...insurer.asked.splice(0)].map(
        ({ headers }) => headers['x-request-id'],
      ),
    );
  const saleOf = async (key: string): Promise<{ id: number; charge: string } | undefined> => {
    const [sale] = await rowsIn<{ id: number; charge: string }>(
      database,
      `select id::int, progress #>> '{payment,chargeId}' as charge from sale
       where idempotency_key = $1`,
      [key],
    );
    return sale;
  };

  it('goes with the questions to gateway and insurer, with a token that is new and one that is known', async () => {
    askedWith();
    // The token is verified with the first request, and known with those after it.
    for (const id of ['order-1:try-1', 'order-2:try-1']) {
      await sell(PHONE, phoneOrder({ address, creditCard: creditCard() }), id);
      expect([asaas.asked.length > 0, insurer.asked.length > 0], id).to.deep.equal([true, true]);
      const asked = [...askedWith()];
      // A job may go on with the sale before, and a notice of the gateway has an id of its own.
      const known = /^(order-\d:try-1|[\da-f-]{36})$/;
      expect(asked.filter((each) => !known.test(String(each)))).to.deep.equal([]);
      expect(asked).to.include(id);
    }
  });

  it('is in the data of the job of each sale, also of sales that are stored together', async () => {
    const ids = Array.from({ length: 24 }, (_, index) => `together-${index}`);
    await Promise.all(ids.map((id) => sell(PHONE, phoneOrder(), id)));
    const stored = await rowsIn<{ key: string; requestId: string }>(
      database,
      `select idempotency_key as key, data->>'requestId' as "requestId"
       from jobs.job join sale on sale.id = (data->>'saleId')::bigint
       where name = 'resume-sale' and idempotency_key like 'together-%'`,
    );
    expect(new Set(stored.map(({ key }) => key))).to.have.property('size', ids.length);
    for (const { key, requestId } of stored) expect(requestId).to.equal(key);
  });

  it('is in the log lines of its work, once', async () => {
    insurer.set({ words: { ACEITA: 'EM_AUDITORIA' } });
    await sell(ARTIST, artistOrderToday(), 'order-3');
    insurer.set({ words: {} });
    await service.logged(/"requestId":"order-3".*"msg":"request"/);
    const own = lines().filter(({ requestId }) => requestId === 'order-3');
    expect(own.map(({ msg, alert }) => alert?.kind ?? msg)).to.include.members([
      'status_unknown',
      'request',
    ]);
    for (const line of service.output.split('\n').filter((each) => each.includes('order-3')))
      expect(line.match(/"requestId"/g)).to.have.length(1);
    const started = lines().find(({ msg }) => msg === 'ready');
    expect(started).not.to.have.property('requestId');
  });

  it('goes with the job that it caused: to the next job, to providers and into log lines', async () => {
    await sell(PHONE, phoneOrder(), 'order-4');
    const sale = await saleOf('order-4');
    await rowsIn(database, 'update jobs.job set start_after = now() where start_after > now()');
    const looks = async () =>
      (await jobs('await-payer')).filter(({ data }) => data.saleId === sale?.id);
    const [look] = await within(looks, (found) => found.length > 0);
    expect(look?.data.requestId).to.equal('order-4');

    // A notice is a request with an id of its own, which its job has.
    await asaas.pay(sale?.charge ?? '');
    const asked = () =>
      [...asaas.asked, ...insurer.asked].map(({ headers }) => headers['x-request-id']);
    const caused = async () =>
      (await jobs('process-notice'))
        .map(({ data }) => data.requestId)
        .find((id) => asked().includes(id));
    const id = await within(caused, (found) => found !== undefined);
    await service.logged(new RegExp(`"requestId":"${id}".*"route":"/webhooks/`));
  });

  it('is in the log lines of the job that it caused', async () => {
    const broken = JSON.stringify({ saleId: 'none', requestId: 'order-6' });
    await rowsIn(
      database,
      `insert into jobs.job (name, data, retry_limit, expire_seconds)
       values ('resume-sale', $1, 0, 120)`,
      [broken],
    );
    await service.logged(/"requestId":"order-6".*"msg":"a job failed and will be done again"/);
  });

  it('of a job without one, such as of a version before, is the job’s own', async () => {
    await sell(PHONE, phoneOrder(), 'order-5');
    const sale = await saleOf('order-5');
    askedWith();
    const [job] = await rowsIn<Job>(
      database,
      `insert into jobs.job (name, data, retry_limit, expire_seconds)
       values ('resume-sale', $1, 5, 120) returning id::text, name, data`,
      [JSON.stringify({ saleId: sale?.id })],
    );
    const isAsked = async () =>
      asaas.asked.some(({ headers }) => headers['x-request-id'] === `job-${job?.id}`);
    expect(await within(isAsked, (is) => is)).to.equal(true);
  });
});
