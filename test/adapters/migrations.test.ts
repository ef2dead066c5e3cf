import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue/catalogue.ts';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { MIGRATIONS } from '../../adapters/persistence/schema/migrations/index.ts';
import { SystemClock } from '../../adapters/system/clock-and-identifiers.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { saveVersion, TICKET_PRODUCT, versionAt } from '../support/catalogue.ts';
import { expectError } from '../support/expected-error.ts';
import { entry } from '../support/identity.ts';
import { CONTRACT, CONTRACTED, EXPAND, EXPANDED } from '../support/made-up-migrations.ts';
import { rowsIn } from '../support/postgres.ts';
import { insertSale } from '../support/sale-writer.ts';
import { ServiceProcess } from '../support/service.ts';
import { openEmptyEmbedded, sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const DATABASES: Readonly<Record<string, () => Promise<Database>>> = {
  PGlite: () => openEmptyEmbedded(),
  PostgreSQL: async () => openPostgres({ url: await sharedPostgres.database(), pool: 2 }),
};

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};

for (const [name, open] of Object.entries(DATABASES)) {
  describe(`the append-only tables, on ${name}`, () => {
    it('refuse update, delete and truncate in the database itself', async () => {
      const database = await open();
      await database.migrate();
      const run = (text: string) => database.run({ name: text, text }, []);
      await new DatabaseAuditLog(database).append(entry());
      const columns = { audit_entry: 'action', catalogue_version: 'name', iof_rate: 'rate' };
      for (const [table, column] of Object.entries(columns)) {
        const attempts = [
          `update ${table} set ${column} = ${column}`,
          `update ${table} set ${column} = ${column} where false`,
          `delete from ${table}`,
          `truncate ${table}`,
          `with x as (delete from ${table} returning 1) table x`,
        ];
        for (const attempt of attempts) {
          const failure = await expectError(run(attempt));
          expect(failure, attempt)
            .to.be.instanceOf(Error)
            .and.to.have.property('message', `${table} is append-only`);
        }
      }
      await run(`set session_replication_role = 'replica'`);
      const failure = await expectError(run('delete from audit_entry'));
      expect(failure).to.be.instanceOf(Error);
      expect(await new DatabaseAuditLog(database).list({ limit: 10 })).to.have.length(1);
      await database.close();
    });
  });

  describe(`version 1.0.0 beside this one, on ${name}`, () => {
    it('reads the products and channels that this one stores for now, and stores others', async () => {
      const database = await open();
      await database.migrate();
      const run = async (text: string) => {
        const { rows } = await database.executor.executeSql(text);
        return rows as Record<string, unknown>[];
      };
      const clock = new SystemClock();
      const catalogue = new DatabaseCatalogue(database, clock);
      const shown = () => run(`select version, definition->>'name' as name from product`);
      await saveVersion(catalogue, versionAt(TICKET_PRODUCT, clock.now()));
      await saveVersion(catalogue, versionAt(DEMO_CHANNEL, clock.now()));
      expect(await shown()).to.deep.equal([{ version: 1, name: TICKET_PRODUCT.name }]);
      expect(await run('select channel_link, version from channel')).to.deep.equal([
        { channel_link: DEMO_CHANNEL.channelLink, version: 1 },
      ]);

      const renamed = `jsonb_set(definition, '{name}', '"Outro nome"')`;
      await run(`insert into catalogue_version (kind, name, version, definition, updated_at)
        select 'product', code, version + 1, ${renamed}, now() from product;
        update product set definition = ${renamed}, version = version + 1`);
      const { versions } = await catalogue.load();
      const stored = versions
        .filter(({ kind }) => kind === 'product')
        .map(({ version }) => version);
      expect(stored).to.have.members([1, 2]);
      const [found] = (await new DatabaseCatalogue(database, clock).current()).products;
      expect(found).to.deep.include({ name: 'Outro nome', version: 2 });

      const ahead = { version: 3, effectiveFrom: '2199-01-05' };
      await saveVersion(catalogue, versionAt(TICKET_PRODUCT, clock.now(), ahead));
      expect(await shown()).to.deep.equal([{ version: 2, name: 'Outro nome' }]);
      await saveVersion(catalogue, versionAt(TICKET_PRODUCT, clock.now(), { version: 4 }));
      expect(await shown()).to.deep.equal([{ version: 4, name: TICKET_PRODUCT.name }]);
      await database.close();
    });
  });

  describe(`a schema of a newer version, on ${name}`, () => {
    it('is accepted after an `expand` migration, and refused with a reason after a `contract` one', async () => {
      const database = await open();
      await database.migrate(EXPANDED);
      await database.migrate();
      await database.migrate(CONTRACTED);
      const { message } = await expectError(database.migrate());
      expect(message).to.equal(
        'the database is too new for this version of the service: it has 9002-contract-remark. Start the version that made this change, or a newer one',
      );
      await database.close();
    });
  });
}

const SIGNING_KEY = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('a `contract` migration', () => {
  it('is refused while processes listen that do not know the migration before it', async () => {
    const url = await sharedPostgres.database();
    const database = await openPostgres({ url, pool: 2 });
    await database.migrate(EXPANDED);
    const earlier = await connect(url);
    for (const statement of [
      `listen insurance_sales -- ${MIGRATIONS.at(-1)?.name}`,
      'listen insurance_sales',
    ]) {
      await earlier.query(statement);
      const { message } = await expectError(database.migrate(CONTRACTED));
      expect(message).to.match(
        /^processes of a version before 9001-expand-remark .* from 127\.0\.0\.1/,
      );
    }
    await earlier.end();
    const knowing = await connect(url);
    await knowing.query(`listen insurance_sales -- ${EXPAND.name}`);
    await database.migrate(CONTRACTED);
    await knowing.end();
    await database.close();
  });

  it('finds each process by what it knows, a worker without jobs too', async () => {
    const url = await sharedPostgres.database();
    const keys = { SECRETS_KEY: randomBytes(32).toString('base64'), SIGNING_KEY };
    const worker = new ServiceProcess({
      DATABASE_URL: url,
      DATA_DIR: 'memory:',
      ROLE: 'worker',
      PUBLIC_URL: 'http://sales.test',
      ...keys,
    });
    const listening = `
      select query from pg_stat_activity
      where datname = current_database() and query like 'listen %'`;
    const [found] = await within(
      () => rowsIn<{ query: string }>(url, listening),
      (rows) => rows.length > 0,
    );
    await worker.end('SIGKILL');
    expect(found?.query).to.equal(`listen insurance_sales -- ${MIGRATIONS.at(-1)?.name}`);
  });

  it('waits for a long read, while sales go on', async () => {
    const url = await sharedPostgres.database();
    const database = await openPostgres({ url, pool: 2 });
    await database.migrate(EXPANDED);
    const [reader, seller] = [await connect(url), await connect(url)];
    await reader.query('begin; select from sale');
    const migrated = database.migrate(CONTRACTED);
    const waiting = `
      select from pg_stat_activity
      where datname = current_database() and (wait_event_type = 'Lock' or wait_event = 'PgSleep')`;
    while ((await seller.query(waiting)).rowCount === 0) await setTimeout(5);
    await insertSale(seller, 'sold meanwhile', 'canal-demo');
    await reader.query('commit');
    await migrated;
    await Promise.all([reader, seller].map((client) => client.end()));
    await database.close();
  });
});

describe('a migration', () => {
  // Without an index all versions find the same.
  const TAKES_AWAY =
    /\b(drop(?!\s+index)|rename|truncate|delete\s+from|alter\s+column(?!\s+\w+\s+set\s+default)|set\s+not\s+null|add\s+constraint|revoke)\b/i;
  const ADDS = /\b(create|add\s+column|set\s+default|insert\s+into)\b/i;

  it('either adds or removes, as its name says, so that the version before keeps working beside this one', async () => {
    const database = await openEmptyEmbedded();
    const [baseline, ...later] = MIGRATIONS;
    expect(baseline?.name).to.equal('0001-baseline');
    for (const { name, load } of [...later, EXPAND, CONTRACT]) {
      expect(name).to.match(/^\d{4}-(expand|contract)-[a-z-]+$/);
      const Step = await load();
      const step = await database.entities(async (em) => new Step(em.getDriver(), em.config));
      step.up();
      const statements = step.getQueries().map(String).join(';\n');
      expect(statements, name).not.to.match(name.includes('-expand-') ? TAKES_AWAY : ADDS);
      expect(statements, name).to.match(name.includes('-expand-') ? ADDS : TAKES_AWAY);
    }
    await database.close();
  });
});
