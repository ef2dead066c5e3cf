import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openPostgres } from '../../adapters/persistence/engine/database.ts';
import { DatabaseAlertRecords } from '../../adapters/persistence/operations/alert-records.ts';
import { SystemClock } from '../../adapters/system/clock-and-identifiers.ts';
import { makeAlertNotes } from '../../application/alerts/alert-notes.ts';
import { temporaryFolder } from '../support/children.ts';
import { expectError } from '../support/expected-error.ts';
import { LOGIN, localCertificate, MailServer } from '../support/mail-server.ts';
import { rowsIn } from '../support/postgres.ts';
import { Relay } from '../support/postgres-proxy.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const OPERATOR = 'ops@example.com';

/** Holds a secret, as such addresses do. */
const HOOK = '/hooks/secret-token-of-the-chat';

/** As a process stores an alert. */
const RAISE_PAPERS_GONE = `
  with numbered as (update alert_numbering set number = number + 1 returning number)
  insert into alert (kind, subject, sale_id, details, first_at, last_at, times, raise_number, status)
  select 'papers_gone', 'transaction/7', 7, '{"provider": "insurer"}', now(), now(), 1, number, 'open'
  from numbered`;

describe('alerts of two services', function () {
  this.timeout(240_000);
  let url: string;
  let mail: MailServer;
  let receiver: WebhookReceiver;
  let environment: Record<string, string>;
  const services: ServiceProcess[] = [];

  before(async () => {
    const certificate = await localCertificate();
    const trusted = join(temporaryFolder(), 'mail-ca.pem');
    writeFileSync(trusted, certificate.cert);
    mail = await new MailServer({ certificate }).start();
    receiver = await new WebhookReceiver().start();
    url = await sharedPostgres.migratedDatabase();
    environment = {
      ...{ DATABASE_URL: url, DATA_DIR: temporaryFolder(), NODE_EXTRA_CA_CERTS: trusted },
      ...{ PUBLIC_URL: 'http://sales.test', MAIL_FROM: 'Seguros <seguros@example.com>' },
      SMTP_URL: `smtp://${LOGIN.user}:${LOGIN.password}@127.0.0.1:${mail.port}`,
      ...{ ALERT_MAIL: OPERATOR, ALERT_WEBHOOK: receiver.urlOf(HOOK) },
    };
  });
  after(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    receiver.stop();
    await mail.stop();
  });

  const start = async (): Promise<ServiceProcess> => {
    const service = new ServiceProcess(environment);
    services.push(service);
    await service.ready();
    return service;
  };
  const mailsOf = (kind: string) =>
    mail.received.filter(({ subject }) => subject === `[insurance-sales] 1 × ${kind}`);
  const postsOf = (kind: string) =>
    receiver.at(HOOK).filter(({ body }) => JSON.parse(body).kind === kind);
  const told = (kind: string) =>
    within(
      async () => [mailsOf(kind).length, postsOf(kind).length],
      ([mails = 0, posts = 0]) => mails > 0 && posts > 0,
    );

  it('reach operators once, and are resolved at the command line', async () => {
    const [one] = [await start(), await start()];
    const partner = new Partner(`${one.address}/api`, one.credentials('Demo partner'));
    const token = await partner.token();
    receiver.answer('/gone', (response) => {
      response.statusCode = 410;
      response.end();
    });
    const call = async (path: string, body: object) => {
      const init = { method: 'POST', body: JSON.stringify(body) };
      const answer = await partner.call(`/private/integration/webhooks${path}`, token, init);
      expect(answer.status, await answer.clone().text()).to.be.within(200, 202);
      return (await answer.json()) as { data: { id: string } };
    };
    const made = await call('', { url: receiver.urlOf('/gone'), events: ['sale.paid'] });
    const endpointId = made.data.id;
    await call(`/${endpointId}/test`, {});

    expect(await told('webhook_disabled')).to.deep.equal([1, 1]);
    expect(mailsOf('webhook_disabled')[0]?.text).to.include(endpointId);
    const [posted] = postsOf('webhook_disabled');
    const { alerts } = JSON.parse(posted?.body ?? '');
    expect(alerts[0]).to.deep.include({ details: { endpointId, reason: 'gone' }, times: 1 });

    // By the time that both services have told of another kind, they have looked at this one again.
    await rowsIn(url, RAISE_PAPERS_GONE);
    expect(await told('papers_gone')).to.deep.equal([1, 1]);
    expect(mailsOf('webhook_disabled')).to.have.length(1);
    expect(postsOf('webhook_disabled')).to.have.length(1);

    const admin = async (...words: readonly string[]) => {
      const command = new ServiceProcess(environment, [
        'npm',
        'run',
        '-s',
        'admin',
        '--',
        ...words,
      ]);
      expect(await command.ended(), command.errors).to.equal(0);
      return JSON.parse(command.output);
    };
    const [open] = await admin('alerts', '--status', 'open', '--kind', 'webhook_disabled');
    expect(open).to.deep.include({ status: 'open', details: { endpointId, reason: 'gone' } });
    const resolved = await admin(
      'resolve-alert',
      `${open.alert_id}`,
      '--note',
      'Told the partner.',
    );
    expect(resolved.resolution).to.include({ note: 'Told the partner.' });
    expect(await admin('alerts', '--status', 'open', '--kind', 'webhook_disabled')).to.deep.equal(
      [],
    );

    for (const service of services) expect(await service.end()).to.equal(0);
    const logged = services.map(({ output }) => output).join('');
    expect(logged).to.include('"kind":"webhook_disabled"');
    expect(logged).not.to.include('secret-token');
  });
});

describe('alerts while the database is away', () => {
  it('wait, and are stored once it is back, with the times at which they were raised', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const relay = new Relay(url);
    const database = await openPostgres({ url: await relay.start(), pool: 2 });
    const alertRecords = new DatabaseAlertRecords(database);
    const clock = new SystemClock();
    const notes = makeAlertNotes({ alertRecords, clock, currentRequestId: () => 'request-1' });
    const raise = (saleId: number): void => notes.note({ kind: 'sale_stuck', saleId, tries: 25 });

    raise(1);
    await notes.flush();
    relay.pointAt('postgres://127.0.0.1:1/none');
    relay.cut();
    const began = clock.now();
    raise(1);
    raise(2);
    expect((await expectError(notes.flush())).name).to.equal('Unavailable');
    raise(2);
    expect((await expectError(notes.flush())).name).to.equal('Unavailable');
    const ended = clock.now();

    relay.pointAt(url);
    await notes.flush();
    const records = await alertRecords.list({ limit: 10 });
    expect(records.map(({ saleId, times }) => [saleId, times])).to.deep.equal([
      [2, 2],
      [1, 2],
    ]);
    const firstAt = Date.parse(records[0]?.firstAt ?? '');
    expect(firstAt).to.be.within(Date.parse(began), Date.parse(ended));
    await database.close();
    relay.stop();
  });
});

describe('an alert that PostgreSQL refuses', () => {
  it('is dropped, and holds up no other', async () => {
    const url = await sharedPostgres.migratedDatabase();
    const database = await openPostgres({ url, pool: 2 });
    const alertRecords = new DatabaseAlertRecords(database);
    const clock = new SystemClock();
    const notes = makeAlertNotes({ alertRecords, clock, currentRequestId: () => undefined });
    notes.note({ kind: 'sale_stuck', saleId: 1, tries: 25 });
    notes.note({ kind: 'mail_undelivered', saleId: 2, number: 0, reason: 'a\u0000b' });
    notes.note({ kind: 'sale_stuck', saleId: 3, tries: 25 });
    await notes.flush();
    const records = await alertRecords.list({ limit: 10 });
    expect(records.map(({ saleId }) => saleId)).to.deep.equal([3, 1]);
    expect(notes.takeDropped()).to.equal(1);
    await database.close();
  });
});
