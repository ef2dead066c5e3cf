import { expect } from 'chai';
import { pino } from 'pino';
import { cents, type Instant } from '#domain';
import { openPostgres } from '../../../adapters/persistence/engine/database.ts';
import { UlidIdentifiers } from '../../../adapters/system/clock-and-identifiers.ts';
import { jobs } from '../../../bootstrap/composition/infrastructure.ts';
import { gateways } from '../../../bootstrap/composition/observed.ts';
import { clock } from '../../../bootstrap/composition/ports.ts';
import { composeService } from '../../../bootstrap/composition/service.ts';
import { readConfig } from '../../../bootstrap/settings/config.ts';
import { AsaasDouble } from '../../doubles/asaas.ts';
import { Double } from '../../doubles/http.ts';
import { runOperator } from '../../support/operator-command.ts';
import { rowsIn } from '../../support/postgres.ts';
import { terms } from '../../support/sales.ts';
import { cardOf } from '../../support/selling.ts';
import { sharedPostgres } from '../../support/shared.ts';
import { inDays } from '../../support/today.ts';

describe('the command reconcile-gateway', () => {
  let url: string;
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const restored = ['--apply', '--even-if-many', '--lost-since', from];
  before(async () => {
    url = await sharedPostgres.migratedDatabase();
  });

  const run = (variables: Readonly<Record<string, string>>, ...more: string[]) => {
    const period = ['--from', from, '--to', new Date().toISOString()];
    const environment = { DATABASE_URL: url, DATA_DIR: 'memory:', ...variables };
    return runOperator(['reconcile-gateway', ...period, ...more], environment);
  };

  /** Two charges of sales that are not here, one paid and one open. */
  const plant = async (
    gateway: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> => {
    const database = await openPostgres({ url, pool: 2 });
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: 'memory:', ...gateway });
    const service = await composeService({
      config: { ...config, publicUrl: 'http://sales.test', servesHttp: false },
      ...{ database, log: pino({ level: 'silent' }) },
    });
    const { gateways: live, clock: time, jobs: queue } = service.pick({ gateways, clock, jobs });
    const asked = live.standard;
    await queue.prepare();
    const references = [1, 2].map((id) => `${id}-${new UlidIdentifiers().next()}`);
    for (const [index, reference] of references.entries())
      await asked.charge({
        ...{ reference, saleId: index, description: '', installments: 1 },
        ...{ net: cents(1_000), iof: cents(74), amount: cents(1_074) },
        payer: terms().insured,
        dueOn: time.today(),
        until: `${inDays(3)}T03:00:00.000Z` as Instant,
        ...(index === 0 && { card: cardOf() }),
      });
    await queue.stop();
    await database.close();
    return references;
  };

  it('refuses to guess the gateway, and names the variables that are missing', async () => {
    const without = await run({});
    expect(without.code).to.equal(1);
    expect(without.errors).to.match(/^PAYMENT_GATEWAY is missing/);
    const half = await run({ PAYMENT_GATEWAY: 'asaas', ASAAS_API_URL: 'http://asaas.test' });
    expect(half.code).to.equal(1);
    expect(half.errors).to.match(/ASAAS_API_KEY is missing/);
  });

  it('says that the gateway failed, after the warning that it refuses the key', async () => {
    const asaas = new Double(({ query }) =>
      query.get('offset') === '0'
        ? { status: 200, body: { hasMore: true, data: [{ id: 'pay_1', status: 'A', value: 1 }] } }
        : { status: 401 },
    );
    const failed = await run({
      PAYMENT_GATEWAY: 'asaas',
      ASAAS_API_URL: await asaas.start(),
      ASAAS_API_KEY: 'key',
      ASAAS_WEBHOOK_TOKEN: 'token',
    });
    asaas.stop();
    expect(failed.code).to.equal(1);
    const [warning = '', ...words] = failed.errors.split('\n');
    expect(JSON.parse(warning)).to.deep.include({ level: 40, provider: 'asaas', status: 401 });
    expect(words.join('\n')).to.match(
      /^Asaas did not list the charges of .* from 2 on: status 401\n$/,
    );
    expect(failed.output).to.equal('');
  });

  it('compares, refuses what is doubtful, acts, and finds nothing the next time', async () => {
    const references = await plant();
    const sandbox = { PAYMENT_GATEWAY: 'sandbox' };
    const planned = await run(sandbox);
    expect(planned.code, planned.errors).to.equal(0);
    expect(JSON.parse(planned.output)).to.deep.include({
      gateway: 'sandbox',
      applied: false,
      doubtful: true,
      charges: { of_sales: 0, without_sale: 2, of_others: 0 },
      summary: [
        { finding: 'charge_without_sale', act: 'refund', count: 1, amount: 10.74 },
        { finding: 'charge_without_sale', act: 'withdraw', count: 1, amount: 10.74 },
      ],
    });

    const refused = await run(sandbox, '--apply');
    expect(refused.code).to.equal(1);
    expect(refused.errors).to.match(/^Nothing was done: most charges have no sale here/);

    const left = await run(sandbox, '--apply', '--even-if-many');
    expect(left.code).to.equal(1);
    expect(left.errors).to.match(/^2 charges have no sale here and were left alone/);

    const done = await run(sandbox, ...restored);
    expect(done.code, done.errors).to.equal(0);
    const { findings } = JSON.parse(done.output) as {
      findings: { reference: string; outcome: string }[];
    };
    expect(findings.map(({ reference, outcome }) => [reference, outcome])).to.have.deep.members(
      references.map((reference) => [reference, 'done']),
    );
    const actors = await rowsIn<{ action: string; actor_kind: string }>(
      url,
      `select action, actor_kind from audit_entry where action ~ '^charge' order by number`,
    );
    expect(actors.map(({ action, actor_kind }) => `${action} ${actor_kind}`)).to.deep.equal([
      'charge.refund_ordered operator',
      'charge.withdrawal_ordered operator',
    ]);

    const again = await run(sandbox, '--apply');
    expect(again.code, again.errors).to.equal(0);
    expect(JSON.parse(again.output)).to.deep.include({ findings: [], doubtful: false });
  });

  it('keeps what the gateway answered about a sale in trouble, and shows its own error', async () => {
    const asaas = new AsaasDouble();
    const gateway = {
      PAYMENT_GATEWAY: 'asaas',
      ASAAS_API_URL: await asaas.start(),
      ASAAS_API_KEY: asaas.key,
      ASAAS_WEBHOOK_TOKEN: asaas.webhookToken,
    };
    await plant(gateway);
    for (const { id } of asaas.payments) await asaas.pay(id);
    const apply = async () => {
      asaas.set({ habits: ['500-before'] });
      const applied = await run(gateway, ...restored);
      expect(applied.errors).to.match(/1 of 1 are not done yet: run this again\.\n$/);
      expect(applied.code).to.equal(1);
    };
    await apply();
    const calls = await rowsIn<{ provider: string; question: string }>(
      url,
      'select provider, question from provider_call',
    );
    expect(calls).to.deep.equal([{ provider: 'asaas', question: 'refund' }]);

    await rowsIn(url, 'alter table provider_call rename to not_there');
    await apply();
    await rowsIn(url, 'alter table not_there rename to provider_call');
    asaas.stop();
  });

  it('refuses a period without a moment', async () => {
    const empty = await run({ PAYMENT_GATEWAY: 'sandbox' }, '--to', from);
    expect(empty.code).to.equal(1);
    expect(empty.errors).to.match(/^--from must be before --to/);
    const early = new Date(Date.parse(from) - 1).toISOString();
    const before = await run({ PAYMENT_GATEWAY: 'sandbox' }, '--lost-since', early);
    expect(before.code).to.equal(1);
    expect(before.errors).to.match(/^--lost-since must be from --from on/);
  });
});
