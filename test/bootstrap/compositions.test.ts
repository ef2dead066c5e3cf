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

/** Takes each mail without a login, and keeps it. */
class OpenMailServer {
  readonly received: string[] = [];
  readonly #server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] },
    // Otherwise each greeting waits for a name server, which a machine may not have.
    disableReverseLookup: true,
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

interface Providers {
  readonly asaas: string;
  readonly insurer: string;
  readonly smtp: number;
}

const combinationsWith = ({ asaas, insurer, smtp }: Providers) =>
  combine(
    { sandbox: {}, Asaas: asaasAt(asaas) },
    { 'local insurer': {}, 'HTTP insurer': insurerAt(insurer) },
    { 'mail files': {}, SMTP: smtpAt(smtp) },
  );

/** The names are the same wherever the providers listen. */
const NAMES = combinationsWith({ asaas: '', insurer: '', smtp: 0 }).map(([name]) => name);

const DATABASES: Readonly<Record<string, () => Promise<Variables>>> = {
  'the embedded database': async () => ({ DATA_DIR: await embeddedDataFolder() }),
  PostgreSQL: async () => ({
    DATABASE_URL: await sharedPostgres.migratedDatabase(),
    DATA_DIR: temporaryFolder(),
  }),
};

for (const [kind, makeDatabase] of Object.entries(DATABASES))
  describe(`each combination on ${kind} starts, charges a card, issues, mails and stops`, () => {
    const asaas = new AsaasDouble();
    const insurer = new InsurerDouble();
    const mailServer = new OpenMailServer();
    let combinations: ReturnType<typeof combinationsWith>;
    let database: Variables;
    /** The first start on a database creates the partner. */
    let credentials: ReturnType<LocalService['credentials']>;
    before(async () => {
      database = await makeDatabase();
      const [atAsaas, atInsurer] = await Promise.all([asaas.start(), insurer.start()]);
      const smtp = await mailServer.start();
      combinations = combinationsWith({ asaas: atAsaas, insurer: atInsurer, smtp });
    });
    after(() => {
      for (const each of [asaas, insurer, mailServer]) each.stop();
    });

    for (const [index, name] of NAMES.entries())
      it(name, async () => {
        const [, variables = {}] = combinations[index] ?? [];
        asaas.asked.length = 0;
        const mails = async (): Promise<number> =>
          mailServer.received.length + filesIn(join(database['DATA_DIR'] ?? '', 'mail'));
        const known = await mails();
        const service = await LocalService.start({ ...KEYS, ...database, ...variables });
        credentials ??= service.credentials('Demo partner');
        const partner = new Partner(service.baseUrl, credentials);
        const init = { method: 'POST', body: JSON.stringify(ORDER) };
        const path = '/seguros/seguro-celular/create';
        const answer = await partner.call(path, await partner.token(), init);
        const { data } = (await answer.json()) as { data: { status: string; policy_no: string } };
        expect(data.status).to.equal('issued');
        expect(data.policy_no).to.match(variables['ISSUER_URL'] ? /^APO/ : /^A-/);
        expect(asaas.asked.some(({ method }) => method === 'POST')).to.equal(
          variables['ASAAS_API_URL'] !== undefined,
        );
        expect(await within(mails, (count) => count > known)).to.equal(known + 1);
        await service.end();
      });
  });
