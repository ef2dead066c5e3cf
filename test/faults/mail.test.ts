import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { mainBody } from '../support/api.ts';
import { temporaryFolder } from '../support/children.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';
import { rowsIn } from '../support/postgres.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { inDays } from '../support/today.ts';

const COPY = '/seguros/ingresso-protegido/segunda-via';

const order = (email: string) =>
  mainBody({ email, dataPagamento: inDays(0), dataEvento: inDays(30) });

/** A free port: the mail server listens on it later. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

describe('a mail server', function () {
  this.timeout(240_000);
  let certificate: Awaited<ReturnType<typeof localCertificate>>;
  let environment: Record<string, string>;
  let port: number;
  let url: string;
  let server: MailServer | undefined;
  const services: ServiceProcess[] = [];
  let credentials: ReturnType<ServiceProcess['credentials']>;

  const start = async (): Promise<ServiceProcess> => {
    const service = new ServiceProcess(environment);
    services.push(service);
    await service.ready();
    credentials ??= service.credentials('Demo partner');
    return service;
  };
  const serve = async (): Promise<MailServer> => {
    server = await new MailServer({ certificate }).start(port);
    return server;
  };
  const partnerOf = (service: ServiceProcess) => new Partner(`${service.address}/api`, credentials);
  /** Sells, and asks for a second copy. Both requests must succeed. @returns the sale's number */
  const sellWithCopy = async (service: ServiceProcess, email: string): Promise<number> => {
    const partner = partnerOf(service);
    const token = await partner.token();
    const sold = await partner.sell(token, order(email));
    expect(sold.status).to.equal(200);
    const { data } = (await sold.json()) as { data: { transaction_id: number } };
    const body = JSON.stringify({ transaction_id: data.transaction_id });
    expect((await partner.call(COPY, token, { method: 'POST', body })).status).to.equal(200);
    return data.transaction_id;
  };
  /** As if minutes had passed: the claims of a killed service have ended, and all mails are due. */
  const passTime = (table: 'mailing' | 'cancellation_mailing') =>
    rowsIn(
      url,
      `update ${table} set claimed_until = claimed_until - interval '3 minutes', next_at = null`,
    );
  const mailsTo = (email: string): readonly string[] =>
    (server?.received ?? [])
      .filter(({ envelope }) => envelope.to.includes(email))
      .map(({ messageId = '' }) => messageId);
  const arrived = (email: string, count: number) =>
    within(
      async () => mailsTo(email),
      (mails) => mails.length >= count,
    );

  before(async () => {
    certificate = await localCertificate();
    const trusted = join(temporaryFolder(), 'mail-ca.pem');
    writeFileSync(trusted, certificate.cert);
    port = await freePort();
    url = await sharedPostgres.migratedDatabase();
    environment = {
      ...{
        DATABASE_URL: url,
        DATA_DIR: temporaryFolder(),
        RATE_LIMIT: 'off',
        PUBLIC_URL: 'http://sales.test',
        NODE_EXTRA_CA_CERTS: trusted,
      },
      ...{
        SMTP_URL: `smtp://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${port}`,
        MAIL_FROM: 'Seguros <seguros@example.com>',
      },
    };
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.end('SIGKILL')));
    await server?.stop();
    server = undefined;
  });

  it('fails no sale: each mail arrives once when the server is back, even after a kill of the service', async () => {
    const first = await start();
    await sellWithCopy(first, 'down@example.com');
    await within(
      async () => first.output,
      (output) => /"reason":"ESOCKET"[^\n]*a mail was not taken/.test(output),
    );
    await first.end('SIGKILL');
    await passTime('mailing');
    await serve();
    const next = await start();
    await arrived('down@example.com', 2);
    const left = () => rowsIn(url, `select 1 from mailing where status <> 'sent'`);
    expect(await within(left, (mails) => mails.length === 0)).to.deep.equal([]);
    expect(new Set(mailsTo('down@example.com'))).to.have.property('size', 2);
    expect(mailsTo('down@example.com')).to.have.length(2);
    expect(await next.end()).to.equal(0);
    expect(first.output + next.output).not.to.include(LOGIN.password);
  });

  it('gets the notice of a cancellation once when it is back, even after a kill of the service', async () => {
    const first = await start();
    const token = await partnerOf(first).token();
    const sold = await partnerOf(first).sell(token, order('ended@example.com'));
    const { data } = (await sold.json()) as { data: { ticket: string } };
    const path = `/private/integration/sale/${data.ticket}/cancel`;
    const cancel = (service: ServiceProcess) =>
      partnerOf(service).call(path, token, { method: 'POST', body: '{}' });
    const cancelled = await cancel(first);
    const { response } = (await cancelled.json()) as { response: { data: { protocol: string } } };
    const { protocol } = response.data;
    expect(protocol).to.match(/^\d{8}-\d+-\d{7}$/);
    await within(
      () => rowsIn(url, `select 1 from cancellation_mailing where failures > 0`),
      (rows) => rows.length === 1,
    );
    await first.end('SIGKILL');
    await passTime('cancellation_mailing');
    await serve();
    const next = await start();
    await arrived('ended@example.com', 1);
    await cancel(next);
    const left = () => rowsIn(url, `select 1 from cancellation_mailing where status <> 'sent'`);
    expect(await within(left, (rows) => rows.length === 0)).to.deep.equal([]);
    const mails = (server?.received ?? []).filter(({ subject }) => subject?.includes(protocol));
    expect(mails).to.have.length(1);
    expect(mails[0]?.text).to.include('foi cancelado');
    expect(mailsTo('ended@example.com'), 'the certificate of a cancelled sale').to.have.length(1);
  });

  it('gets each mail from one of two services', async () => {
    await serve();
    const [one, two] = [await start(), await start()];
    const people = Array.from({ length: 24 }, (_, index) => `person-${index}@example.com`);
    const token = await partnerOf(one).token();
    const sold = await Promise.all(
      people.map((email, index) =>
        partnerOf(index % 2 === 0 ? one : two).sell(token, order(email)),
      ),
    );
    expect(new Set(sold.map(({ status }) => status))).to.deep.equal(new Set([200]));
    await Promise.all(people.map((email) => arrived(email, 1)));
    expect(server?.received.map(({ envelope }) => envelope.to[0]).sort()).to.deep.equal(
      [...people].sort(),
    );
    expect(new Set(server?.received.map(({ messageId }) => messageId))).to.have.property(
      'size',
      24,
    );
  });

  it('refuses an address: the operator gets an alert, and can send the mail again', async () => {
    (await serve()).refuse = { code: 550, text: 'no such user' };
    const service = await start();
    const id = await sellWithCopy(service, 'unknown@example.com');
    await within(
      async () => service.output.match(/"kind":"mail_undelivered"/g) ?? [],
      (alerts) => alerts.length === 2,
    );
    const admin = await rowsIn<{ sale_id: string; number: number; reason: string }>(
      url,
      `select sale_id, number, reason from mailing where status = 'undelivered' and sale_id = $1 order by number`,
      [id],
    );
    expect(admin).to.deep.equal(
      [0, 1].map((number) => ({
        sale_id: String(id),
        number,
        reason: 'EENVELOPE 550 no such user',
      })),
    );
    if (server) server.refuse = undefined;
    const command = ['npm', 'run', '-s', 'admin', '--', 'retry-mailing', `${id}-0`];
    const retried = new ServiceProcess(environment, command);
    expect(await retried.ended(), retried.errors).to.equal(0);
    expect(JSON.parse(retried.output)).to.deep.include({
      mailing_id: `${id}-0`,
      status: 'waiting',
    });
    await arrived('unknown@example.com', 1);
    expect(mailsTo('unknown@example.com')).to.have.length(1);
  });
});
