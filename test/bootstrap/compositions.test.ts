import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SMTPServer } from 'smtp-server';
import { AsaasDouble } from '../doubles/asaas.ts';
import { InsurerDouble } from '../doubles/insurer.ts';
import { temporaryFolder } from '../support/children.ts';
import {
  asaasAt,
  combine,
  insurerAt,
  KEYS,
  smtpAt,
  type Variables,
} from '../support/combinations.ts';
import { address, creditCard, phoneOrder } from '../support/orders.ts';
import { LocalService, Partner } from '../support/service.ts';
import { embeddedDataFolder, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const asaas = new AsaasDouble();
const insurer = new InsurerDouble();

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
  let urls: Readonly<Record<'asaas' | 'insurer', string>>;
  before(async () => {
    urls = { asaas: await asaas.start(), insurer: await insurer.start() };
  });
  afterEach(() => {
    expect(asaas.asked.filter(({ method }) => method === 'POST')).to.have.length.of.at.least(4);
    asaas.asked.length = 0;
  });
  after(() => {
    for (const each of [asaas, insurer]) each.stop();
  });

  it('gateway, insurer and mail, on the embedded database', async () => {
    await sellOn({ DATA_DIR: await embeddedDataFolder() }, urls);
  });

  it('gateway, insurer and mail, on PostgreSQL', async () => {
    const url = await sharedPostgres.migratedDatabase();
    await sellOn({ DATABASE_URL: url, DATA_DIR: temporaryFolder() }, urls);
  });
});
