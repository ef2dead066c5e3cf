import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Instant } from '#domain';
import { createSale } from '#domain';
import { openPostgres } from '../../adapters/persistence/engine/database.ts';
import { choosePoolSize, examineServer } from '../../adapters/persistence/engine/examine-server.ts';
import { asStoreFault } from '../../adapters/persistence/engine/faults.ts';
import { type Connections, openEntities } from '../../adapters/persistence/engine/orm.ts';
import { DatabaseSales } from '../../adapters/persistence/sales/sales.ts';
import { type AnyColumn, columnName } from '../../adapters/persistence/schema/columns.ts';
import { ApiClientEntity } from '../../adapters/persistence/schema/entities.ts';
import { TABLES } from '../../adapters/persistence/schema/tables.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { expectError } from '../support/expected-error.ts';
import { rowsIn } from '../support/postgres.ts';
import { CountingProxy } from '../support/postgres-proxy.ts';
import { AT, terms } from '../support/sales.ts';
import { sharedPostgres } from '../support/shared.ts';

/** Sales in a new database, behind a proxy that counts round trips. */
const behindProxy = async () => {
  const proxy = new CountingProxy(await sharedPostgres.database());
  const database = await openPostgres({ url: await proxy.start(), pool: 2 });
  await database.migrate();
  const sales = new DatabaseSales(database, async () => {});
  const close = async (): Promise<void> => {
    await database.close();
    proxy.stop();
  };
  return { proxy, sales, close };
};

describe('a database server that lacks something', () => {
  for (const [code, what] of [
    ['53100', /disk .* is full/],
    ['53200', /no memory/],
    ['53300', /no connection/],
    ['53400', /temp_file_limit/],
  ] as const)
    it(`is unavailable, with what it lacks (SQLSTATE ${code})`, () => {
      const fault = asStoreFault(Object.assign(new Error('of the driver'), { code }));
      expect(fault).to.be.instanceOf(Unavailable).and.have.property('message').that.matches(what);
    });
});

describe('registering a sale in PostgreSQL', () => {
  it('is one round trip', async () => {
    const { proxy, sales, close } = await behindProxy();
    const register = (ticket: string) =>
      sales.register(createSale(ticket, AT, terms()), {
        owner: 'client',
        key: ticket,
        content: { ticket },
      });
    await register('first, on a connection that is new');

    proxy.roundTrips = 0;
    for (let count = 1; count <= 20; count += 1) await register(`ticket ${count}`);
    const counted = proxy.roundTrips;
    await close();
    expect(counted).to.equal(20);
  });
});

describe('the text of a sale', () => {
  it('is stored unchanged, and refused when PostgreSQL could not read it again', async () => {
    const { sales, close } = await behindProxy();
    const said = (name: string) =>
      terms({
        insured: { ...terms().insured, name },
        insuredObject: { seatRow: 'K', row: { z: 1, a: [2] } },
      });
    const register = (name: string) => sales.register(createSale('ticket', AT, said(name)));
    const refused = await Promise.allSettled(['a\0b', 'a\ud83db', 'a\\\0b'].map(register));
    const name = 'a\\u0000 \\\\ud83d \u0001 \ud83d\ude00';
    const registered = await register(name);
    const found =
      registered.kind === 'registered' ? await sales.load(registered.sale.id) : undefined;
    await close();
    expect(refused.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected']);
    expect(JSON.stringify(found?.terms)).to.equal(JSON.stringify(said(name)));
  });
});

describe('sales that arrive together', () => {
  it('are written in few round trips, each with its own number, and only a faulty one fails', async () => {
    const { proxy, sales, close } = await behindProxy();
    const insured = (name: string) => ({ ...terms().insured, name });
    await sales.register(createSale('first', AT, terms()));

    proxy.roundTrips = 0;
    const many = Array.from({ length: 500 }, (_, index) =>
      sales.register(createSale(`many ${index}`, AT, terms())),
    );
    const ids = (await Promise.all(many)).map((each) =>
      each.kind === 'registered' ? each.sale.id : 0,
    );
    const counted = proxy.roundTrips;
    const together = await Promise.allSettled(
      // PostgreSQL keeps no NUL.
      ['good', 'b\0d', 'well'].map((name) =>
        sales.register(createSale(`as ${name}`, AT, terms({ insured: insured(name) }))),
      ),
    );
    const found = await Promise.all(ids.map((id) => sales.load(id)));
    await close();
    expect(counted).to.be.within(1, 20);
    expect(found.map((each) => each?.ticket)).to.deep.equal(
      many.map((_, index) => `many ${index}`),
    );
    expect(
      together.map((each) => ('reason' in each ? each.reason.name : each.status)),
    ).to.deep.equal(['fulfilled', 'Unstorable', 'fulfilled']);
  });
});

describe('the connections of all processes together', () => {
  it('are at most what the server allows', async () => {
    const url = await sharedPostgres.database();
    expect(await examineServer(url, 'DATABASE_URL')).to.be.within(20, 10_000);
    const limited = new URL(url);
    await rowsIn(limited.href, `create role limited login password 'limited' connection limit 7`);
    [limited.username, limited.password] = ['limited', 'limited'];
    expect(await examineServer(limited.href, 'DATABASE_URL')).to.equal(7);
    // 100 less 3 for superusers. Each process has one connection beside its pool.
    for (const [processes, wanted, pool] of [
      [1, 10, 10],
      [4, 10, 10],
      [1, 500, 92],
      [4, 50, 22],
      [31, 10, 2],
    ] as const)
      expect(choosePoolSize(97, processes, wanted), `${processes} processes`).to.equal(pool);
    expect(() => choosePoolSize(97, 32, 10)).to.throw('too few for 32 processes');
  });
});

/** Tables that version 1.0.0 reads, while it runs beside this one. */
const OF_EARLIER_VERSIONS = `('channel', 'product')`;

/** The columns that the migrations make and no description has (`-`), and the reverse (`+`). */
const differencesOfSchema = async (url: string, plant: string): Promise<readonly string[]> => {
  const database = await openPostgres({ url, pool: 2 });
  await database.migrate();
  await database.executor.executeSql(plant);
  const made = await rowsIn<{ column: string }>(
    url,
    `
    select relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      || case when attnotnull then '' else ' null' end
      || case when attnum = any(conkey) then ' key' else '' end as column
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_constraint on conrelid = attrelid and contype = 'p'
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
      and not attisdropped and relname not like 'mikro_orm%'
      and relname not in ${OF_EARLIER_VERSIONS}`,
  );
  const metadata = await database.entities(async (em) => [...em.getMetadata().getAll().values()]);
  await database.close();

  const ofStatements = Object.entries(TABLES).flatMap(([table, columns]) =>
    Object.entries(columns).map(
      ([name, { type, isNullable, isKey }]: [string, AnyColumn]) =>
        `${table}.${columnName(name)} ${type}${isNullable ? ' null' : ''}${isKey ? ' key' : ''}`,
    ),
  );
  const ofEntities = metadata.flatMap(({ tableName, props }) =>
    props
      .filter(({ persist, formula }) => persist !== false && formula === undefined)
      .map(({ fieldNames: [name], columnTypes: [type], nullable, primary }) =>
        [`${tableName}.${name} ${type}`, nullable && 'null', primary && 'key']
          .filter(Boolean)
          .join(' '),
      ),
  );
  const spelt = (column: string): string =>
    column
      .replace('timestamptz(3)', 'timestamp(3) with time zone')
      .replace('varchar', 'character varying')
      .replace(/\bint\b/, 'integer')
      .replace('bigserial', 'bigint');
  const described = new Set([...ofStatements, ...ofEntities].map(spelt));
  const present = new Set(made.map(({ column }) => column));
  return [
    ...[...present.difference(described)].map((column) => `- ${column}`),
    ...[...described.difference(present)].map((column) => `+ ${column}`),
  ].sort();
};

describe('the tables that the migrations make', () => {
  it('have the columns, types, keys and nullability of their descriptions', async () => {
    expect(await differencesOfSchema(await sharedPostgres.database(), '')).to.deep.equal([]);
  });

  it('are found to differ, where they do', async () => {
    const differences = await differencesOfSchema(
      await sharedPostgres.database(),
      `
      alter table webhook_endpoint alter column url drop not null;
      alter table iof_rate add column spare text;
      alter table refresh_token drop column sealed_successor;
      alter table readiness alter column done type json`,
    );
    expect(differences).to.deep.equal([
      '+ readiness.done jsonb',
      '+ refresh_token.sealed_successor text null',
      '+ webhook_endpoint.url text',
      '- iof_rate.spare text null',
      '- readiness.done json',
      '- webhook_endpoint.url text null',
    ]);
  });
});

describe('an entity', () => {
  const HASH = 'hash-of-a-secret';
  const client = () => ({
    ...{ clientId: 'client', name: 'Bilheteria', channelLink: null, scopes: ['sales' as const] },
    ...{
      status: 'active' as const,
      generation: 0,
      createdAt: '2026-11-20T15:00:00.000Z' as Instant,
    },
    secrets: [{ hash: HASH, createdAt: '2026-11-20T15:00:00.000Z' as Instant, expiresAt: null }],
  });
  /** Adds a client on a connection that does what is asked. */
  const addOn = (execute: Connections['execute']) => {
    const em = openEntities({
      ...{ execute, read: execute },
      transaction: (work) => work({ executeSql: execute }),
    }).fork();
    em.create(ApiClientEntity, client() as never);
    return em.flush();
  };

  it('is stored with its values beside the text, so that no log of the server has them', async () => {
    const sent: { text: string; values: unknown[] | undefined }[] = [];
    await addOn(async (text, values) => {
      sent.push({ text, values });
      return { rows: [{ version: 1 }] };
    });
    expect(sent).to.have.length(1);
    expect(sent[0]?.text).to.match(/^insert into "api_client" .+ values \(\$1, \$2,/);
    expect(sent[0]?.text).not.to.match(/Bilheteria|hash-of/);
    expect(JSON.stringify(sent[0]?.values)).to.include(HASH);
  });

  it('fails with an error that does not hold its row', async () => {
    const refused = Object.assign(new Error('a column is null'), {
      ...{ code: '23502', detail: `Failing row contains (${HASH})` },
    });
    const error = await expectError(addOn(() => Promise.reject(refused)));
    expect(error.message).to.include('a column is null');
    expect(`${error.message} ${JSON.stringify(error)}`).not.to.include(HASH);
  });
});

describe('a named statement', () => {
  it('names its columns, because PostgreSQL refuses the kept plan of a `select *` after a column is added', () => {
    const folder = new URL('../../adapters/persistence/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.includes('migrations/'),
    );
    expect(files).to.include('sales/sale-statements.ts');
    for (const name of files)
      expect(readFileSync(new URL(name, folder), 'utf8'), name).not.to.match(
        /\b(select|returning)\s+(\w+\.)?\*/,
      );
  });
});
