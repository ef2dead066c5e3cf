import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import type { Database } from '../../adapters/persistence/database.ts';
import { memoryApi } from '../../bootstrap/composition/memory-api.ts';
import { composeService } from '../../bootstrap/composition/service.ts';
import { rootsOf } from '../../bootstrap/processes/open-service.ts';
import { readConfig } from '../../bootstrap/settings/config.ts';
import { AsaasDouble } from '../doubles/asaas.ts';
import { InsurerDouble } from '../doubles/insurer.ts';
import { temporaryFolder } from '../support/children.ts';
import { address, creditCard, phoneOrder } from '../support/orders.ts';
import { LocalService, Partner } from '../support/service.ts';
import { embeddedDataFolder, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

type Variables = Readonly<Record<string, string>>;

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const KEYS = {
  SIGNING_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  SECRETS_KEY: randomBytes(32).toString('base64'),
};

const asaas = new AsaasDouble();
const insurer = new InsurerDouble();

const asaasAt = (url: string): Variables => ({
  PAYMENT_GATEWAY: 'asaas',
  ...{ ASAAS_API_URL: url, ASAAS_API_KEY: asaas.key, ASAAS_WEBHOOK_TOKEN: 'w'.repeat(40) },
});
const insurerAt = (url: string): Variables => ({
  ...{ POLICY_ISSUER: 'http', ISSUER_URL: url, ISSUER_TOKEN: insurer.token },
});
const smtpAt = (port: number): Variables => ({
  ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Seguros <seguros@example.com>' },
});

/** Each choice of the first with each of the others. */
const combine = (...choices: readonly Readonly<Record<string, Variables>>[]) =>
  choices.reduce<readonly (readonly [string, Variables])[]>(
    (made, choice) =>
      made.flatMap(([name, variables]) =>
        Object.entries(choice).map(
          ([more, added]) => [`${name}, ${more}`, { ...variables, ...added }] as const,
        ),
      ),
    [['a service', {}]],
  );

describe('all parts fit together: none is missing, bound twice or needed by nothing', () => {
  const settings = combine(
    { 'that does all': {}, 'that serves': { ROLE: 'web' }, 'that works': { ROLE: 'worker' } },
    { sandbox: {}, Asaas: asaasAt('http://asaas.test') },
    { 'local insurer': {}, 'HTTP insurer': insurerAt('http://insurer.test') },
    { 'mail files': {}, SMTP: smtpAt(25) },
    { metrics: {}, 'metrics on a port': { METRICS_PORT: '9090' }, unmeasured: { METRICS: 'off' } },
  );
  it(`in ${settings.length} services`, async () => {
    for (const [name, variables] of settings) {
      const DATABASE_URL = 'postgres://db.test/sales';
      const PUBLIC_URL = 'http://sales.test';
      const environment = { DATABASE_URL, PUBLIC_URL, DATA_DIR: 'memory:', ...KEYS, ...variables };
      const config = { ...readConfig(environment), publicUrl: PUBLIC_URL };
      const given = { config, database: {} as Database, log: pino({ level: 'silent' }) };
      const service = await composeService({ ...given, roots: rootsOf(config) });
      expect(service, name).to.have.property('get');
    }
  });

  it('in the API over memory', () => {
    expect(memoryApi({}).app).to.have.property('answer');
  });
});

/** Takes each mail without a login, and keeps it. */
class OpenMailServer {
  readonly received: string[] = [];
  readonly #server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] },
    onData: (stream, _, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        this.received.push(String(Buffer.concat(chunks)));
        done();
      });
    },
  });

  start(): Promise<number> {
    return new Promise((resolve) => {
      const server = this.#server.listen(0, '127.0.0.1', () =>
        resolve((server.address() as { port: number }).port),
      );
    });
  }

  stop(): void {
    this.#server.close();
  }
}

const filesIn = (folder: string): number => (existsSync(folder) ? readdirSync(folder).length : 0);

const ORDER = phoneOrder({ address, creditCard: creditCard() });

/** Starts a service of each combination on a database, one after the other, and sells with each. */
const sellOn = async (database: Variables, urls: Readonly<Record<'asaas' | 'insurer', string>>) => {
  const mailServer = new OpenMailServer();
  const mails = (): number =>
    mailServer.received.length + filesIn(join(database['DATA_DIR'] ?? '', 'mail'));
  const combinations = combine(
    { sandbox: {}, Asaas: asaasAt(urls.asaas) },
    { 'local insurer': {}, 'HTTP insurer': insurerAt(urls.insurer) },
    { 'mail files': {}, SMTP: smtpAt(await mailServer.start()) },
  );
  let credentials: ReturnType<LocalService['credentials']>;
  for (const [name, variables] of combinations) {
    const known = mails();
    const service = await LocalService.start({ ...KEYS, ...database, ...variables });
    // The first start on a database creates the partner.
    credentials ??= service.credentials('Demo partner');
    const partner = new Partner(service.baseUrl, credentials);
    const init = { method: 'POST', body: JSON.stringify(ORDER) };
    const path = '/seguros/seguro-celular/create';
    const answer = await partner.call(path, await partner.token(), init);
    const { data } = (await answer.json()) as { data: { status: string; policy_no: string } };
    const policy = variables['ISSUER_URL'] ? /^APO/ : /^A-/;
    expect(data.status, name).to.equal('issued');
    expect(data.policy_no, name).to.match(policy);
    await within(
      async () => mails(),
      (count) => count > known,
    );
    await service.end();
  }
  mailServer.stop();
};

describe('each combination that is sold starts, charges a card, issues, mails and stops', () => {
  after(() => {
    for (const each of [asaas, insurer]) each.stop();
  });

  it('gateway, insurer and mail, on the embedded database and on PostgreSQL', async () => {
    const urls = { asaas: await asaas.start(), insurer: await insurer.start() };
    const url = await sharedPostgres.migratedDatabase();
    await Promise.all([
      sellOn({ DATA_DIR: await embeddedDataFolder() }, urls),
      sellOn({ DATABASE_URL: url, DATA_DIR: temporaryFolder() }, urls),
    ]);
    expect(asaas.asked.filter(({ method }) => method === 'POST')).to.have.length.of.at.least(8);
  });
});
