import { expect } from 'chai';
import { createSale } from '#domain';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { askDriver, guarded } from '../../adapters/persistence/engine/faults.ts';
import { queryInside, statement } from '../../adapters/persistence/engine/statement.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { DatabaseSales } from '../../adapters/persistence/sales/sales.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { expectError } from '../support/expected-error.ts';
import { entry } from '../support/identity.ts';
import { rowsIn } from '../support/postgres.ts';
import { BREAKS, BreakingProxy } from '../support/postgres-proxy.ts';
import { AT, terms } from '../support/sales.ts';
import { sharedPostgres } from '../support/shared.ts';

const ONE = statement<object, { readonly one: number }>('one', 'select 1 as one');

describe('a connection to PostgreSQL that breaks', () => {
  let url: string;
  let proxy: BreakingProxy;
  let database: Database;
  let sales: DatabaseSales;
  before(async () => {
    url = await sharedPostgres.migratedDatabase();
    proxy = new BreakingProxy(url);
    database = await openPostgres({ url: await proxy.start(), pool: 1 });
    sales = new DatabaseSales(database, async () => {});
  });
  after(async () => {
    await database.close();
    proxy.stop();
  });

  const register = (name: string) =>
    sales.register(createSale(name, AT, terms()), {
      owner: 'client',
      key: name,
      content: { name },
    });

  /** The work that breaks at each of its chunks, by a name for each. */
  const WORK: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'a statement': () => database.query(ONE, {}),
    'a transaction': () =>
      database.transaction(async (inside) => {
        await queryInside(inside, ONE, {});
        await queryInside(inside, ONE, {});
      }),
    'a list': () => new DatabaseAuditLog(database).list({ limit: 1 }),
    'an entity': () => new DatabaseAuditLog(database).append(entry()),
    'the SQL of a library': () => database.executor.executeSql('select 1; select 2'),
  };

  /** Does the work until it is over before the chunk at which the connection would break. */
  const breakAtEach = async (how: string, work: (name: string) => Promise<unknown>) => {
    const names: string[] = [];
    for (let isOver = false; !isOver; ) {
      const name = `${how} ${names.length + 1}`;
      names.push(name);
      proxy.breakAt(names.length, BREAKS[how] as never);
      const fault = await work(name).then(
        () => undefined,
        (error: unknown) => error,
      );
      isOver = proxy.mend() && fault === undefined;
      if (fault !== undefined) expect(fault, name).to.be.instanceOf(Unavailable);
    }
    return names;
  };

  for (const how of Object.keys(BREAKS)) {
    for (const [what, work] of Object.entries(WORK))
      it(`makes ${what} succeed, or fail as unavailable: ${how}`, async () => {
        expect(await breakAtEach(how, work)).to.have.length.above(2);
        await database.check();
      });

    it(`loses no sale, and makes none twice: ${how}`, async () => {
      const names = (await breakAtEach(how, (name) => register(`again ${name}`))).map(
        (name) => `again ${name}`,
      );
      for (const name of names) await register(name);
      const stored = await rowsIn<{ ticket: string }>(
        url,
        `select ticket from sale where ticket like 'again ${how}%'`,
      );
      expect(stored.map(({ ticket }) => ticket)).to.have.members(names);
    });
  }
});

describe('a fault of the database driver', () => {
  const given = (message: string, more: object = {}) =>
    expectError(guarded(() => askDriver(Promise.reject(Object.assign(new Error(message), more)))));

  it('means out of reach if PostgreSQL did not answer, whatever its code and words', async () => {
    for (const fault of [
      await given('timeout expired'),
      await given('Received unexpected dataRow message from backend.'),
      await given('Cannot use a pool after calling end on the pool'),
      await given('write after end', { code: 'ERR_STREAM_WRITE_AFTER_END' }),
      await given('connect', { code: 'EADDRNOTAVAIL' }),
      await given('a word of a later version'),
    ])
      expect(fault).to.be.instanceOf(Unavailable);
  });

  it('means out of reach if PostgreSQL ends the session, or has become a standby', async () => {
    for (const code of ['25006', '57P01', '08006', '53300'])
      expect(await given('answered', { severity: 'FATAL', code })).to.be.instanceOf(Unavailable);
  });

  it('passes unchanged if it is a mistake of the program', async () => {
    for (const fault of [
      await given('syntax error', { severity: 'ERROR', code: '42601' }),
      await given('Query values must be an array'),
    ])
      expect(fault).not.to.be.instanceOf(Unavailable);
  });
});
