import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import type { Instant } from '#domain';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import type { StandbyFault } from '../../adapters/persistence/engine/standby.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { DatabaseMailings } from '../../adapters/persistence/sales/mailings.ts';
import { DatabaseSales } from '../../adapters/persistence/sales/sales.ts';
import { mainBody } from '../support/api.ts';
import { PostgresServer, rowsIn } from '../support/postgres.ts';
import { Relay } from '../support/postgres-proxy.ts';
import { Partner, ServiceProcess } from '../support/service.ts';
import { one, Pair } from '../support/standby.ts';
import { within } from '../support/stores.ts';

const YEAR = {
  channelLink: 'canal-demo',
  from: '2026-01-01T00:00:00.000Z' as Instant,
  to: '2199-01-01T00:00:00.000Z' as Instant,
};

/** Lines of a statement that are read at once. */
const BATCH_LINES = 200;

/** How often the server has looked into the table; it counts up to a second late. */
const looksAt = async (url: string, table: string): Promise<number> => {
  const { looks } = await one<{ looks: string }>(
    url,
    `select seq_scan + coalesce(idx_scan, 0) as looks from pg_stat_user_tables
    where relname = '${table}'`,
  );
  return Number(looks);
};

const askFor = (text: string) => ({ name: 'asked', text, values: () => [] });

interface Listed {
  readonly data: readonly { readonly external_sale_id: string }[];
}

describe('reading from a standby (DATABASE_READ_URL)', () => {
  const pair = new Pair();
  /** Between the service and its standby. */
  let relay: Relay;
  let readUrl: string;
  let service: ServiceProcess;
  let partner: Partner;
  let token: string;
  let database: Database;
  let sales: DatabaseSales;
  const faults: StandbyFault[] = [];
  let number = 0;

  const sell = async (): Promise<string> => {
    number += 1;
    const externalSaleId = `sale-${number}`;
    const answer = await partner.sell(token, mainBody({ externalSaleId }));
    expect(answer.status).to.equal(200);
    return externalSaleId;
  };
  const newest = async (query = ''): Promise<string | undefined> => {
    const answer = await partner.call(`/private/integration/sales?limit=1${query}`, token);
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as Listed).data[0]?.external_sale_id;
  };
  const month = new Intl.DateTimeFormat('sv', { timeZone: 'America/Sao_Paulo' })
    .format(new Date())
    .slice(0, 7);
  const statement = async (): Promise<{ asOf: string | null; lines: number }> => {
    const answer = await partner.call(`/private/integration/statement?month=${month}`, token);
    expect(answer.status).to.equal(200);
    const { response } = (await answer.json()) as { response: { data: { lines: object[] } } };
    return { asOf: answer.headers.get('x-data-as-of'), lines: response.data.lines.length };
  };
  const replayState = () =>
    one<{ state: string }>(pair.standbyUrl, 'select pg_get_wal_replay_pause_state() as state');
  const untilUsed = async (isUsed: boolean): Promise<void> => {
    const isSo = await within(
      async () => (database.readAsOf() !== undefined) === isUsed,
      (answer) => answer,
    );
    expect(isSo, isUsed ? 'is used' : 'is not used').to.equal(true);
  };
  const read = async (asOf: Instant | undefined): Promise<number> => {
    let lines = 0;
    for await (const _ of sales.booked({ ...YEAR, asOf })) lines += 1;
    return lines;
  };

  /** @param maxLagMs default: 30 s, which a busy machine does not need */
  const open = async (maxLagMs?: number): Promise<void> => {
    await database?.close();
    database = await openPostgres({
      ...{ url: pair.url, pool: 4 },
      read: {
        url: readUrl,
        ...(maxLagMs !== undefined && { maxLagMs }),
        report: (fault) => void faults.push(fault),
      },
    });
    sales = new DatabaseSales(database, async () => {});
    await untilUsed(true);
  };

  before(async () => {
    await pair.start();
    relay = new Relay(pair.standbyUrl);
    readUrl = await relay.start();
    service = new ServiceProcess({
      ...{ DATABASE_URL: pair.url, DATABASE_READ_URL: readUrl },
      ...{ DATA_DIR: 'memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'info' },
    });
    await service.ready();
    partner = new Partner(`${service.address}/api`, service.credentials('Demo partner'));
    token = await partner.token();
    await open();
    await within(statement, (each) => each.asOf !== null);
  });
  after(async () => {
    await database.close();
    await service.end('SIGKILL');
    relay.stop();
    await pair.stop();
  });

  it('reads lists there, and yet a partner sees its own sale at once', async () => {
    const before = await looksAt(pair.standbyUrl, 'sale');
    for (let round = 0; round < 20; round += 1) {
      const mine = await sell();
      expect(await newest()).to.equal(mine);
      expect(await newest('&updatedSince=2026-01-01T00:00:00Z')).to.equal(mine);
    }
    const looks = await within(
      () => looksAt(pair.standbyUrl, 'sale'),
      (count) => count >= before + 20,
    );
    expect(looks).to.be.at.least(before + 20);
  });

  it('finds there what the primary has', async () => {
    const primary = await openPostgres({ url: pair.url, pool: 2 });
    const read = async (from: Database) => ({
      sales: await new DatabaseSales(from, async () => {}).list({
        ...{ channelLink: 'canal-demo', productCode: 'INGRESSO', statuses: ['paid', 'issued'] },
        ...{ from: YEAR.from, to: YEAR.to, before: 1_000, limit: 5 },
      }),
      entries: await new DatabaseAuditLog(from).list({ from: YEAR.from, before: 1_000, limit: 5 }),
      mails: await new DatabaseMailings(from).list({ limit: 5 }),
    });
    const looksAtAll = () =>
      Promise.all(
        ['sale', 'audit_entry', 'mailing'].map((table) => looksAt(pair.standbyUrl, table)),
      );
    await sell();
    // A mail that is sent between the two reads would differ.
    await within(
      () => new DatabaseMailings(primary).list({ limit: 5 }),
      (mails) => mails.length > 0 && mails.every(({ status }) => status !== 'waiting'),
    );
    await untilUsed(true);
    const before = await looksAtAll();
    const found = await read(database);
    expect(found).to.deep.equal(await read(primary));
    await primary.close();
    expect(Object.values(found).map(({ length }) => length > 0)).to.deep.equal([true, true, true]);
    const isRead = await within(
      async () => (await looksAtAll()).map((looks, index) => looks > (before[index] ?? 0)),
      (all) => all.every((each) => each),
    );
    expect(isRead, 'sales, entries, mails').to.deep.equal([true, true, true]);
  });

  it('reads statements there, and says until when they are complete', async () => {
    const { asOf, lines } = await within(statement, (each) => each.asOf !== null);
    expect(Date.now() - Date.parse(asOf ?? ''), 'ms of age').to.be.within(0, 60_000);
    expect(lines).to.be.at.least(1);

    const before = await looksAt(pair.standbyUrl, 'sale');
    await read(database.readAsOf());
    const looks = await within(
      () => looksAt(pair.standbyUrl, 'sale'),
      (count) => count > before,
    );
    expect(looks).to.be.above(before);
    expect(database.readLag(), 'seconds of lag').to.be.below(20);
  });

  it('reads the primary while the standby is behind, and misses nothing', async () => {
    await open(2_000);
    faults.length = 0;
    await rowsIn(pair.standbyUrl, 'select pg_wal_replay_pause()');
    await within(replayState, ({ state }) => state === 'paused');
    const asOf = database.readAsOf();
    const mine = await sell();
    expect(await newest()).to.equal(mine);
    expect(await newest('&updatedSince=2026-01-01T00:00:00Z')).to.equal(mine);
    const [stored] = await sales.list({ channelLink: 'canal-demo', limit: 1 });
    expect(stored?.terms.externalSaleId).to.equal(mine);
    const all = Number((await rowsIn(pair.url, 'select from sale')).length);
    expect(await read(asOf), 'as it was').to.be.below(all);
    expect(await read(undefined), 'as it is').to.equal(all);

    await untilUsed(false);
    expect(faults).to.deep.equal(['behind']);
    expect(database.readLag(), 'seconds of lag').to.be.at.least(2);
    expect(await read(database.readAsOf())).to.equal(all);
    await rowsIn(pair.standbyUrl, 'select pg_wal_replay_resume()');
    await untilUsed(true);
    expect(faults).to.deep.equal(['behind', undefined]);
    expect(await read(database.readAsOf())).to.equal(all);
    await open();
  });

  it('goes on reading there after a statement that fails, and when many read at once', async () => {
    await untilUsed(true);
    faults.length = 0;
    const ask = (text: string) => database.read<object, { there: boolean }>(askFor(text), {});
    const failed = await ask('select 1 / 0 as there').catch((error: unknown) => error);
    expect(failed).to.have.property('code', '22012');

    const sleep = 'select pg_is_in_recovery() as there from pg_sleep(0.3)';
    // The primary answers all while the standby has not yet replayed the newest writes.
    const answered = await within(
      async () => {
        const rows = (await Promise.all(Array.from({ length: 40 }, () => ask(sleep)))).flat();
        return { all: rows.length, there: rows.filter(({ there }) => there).length };
      },
      ({ there }) => there === 4,
    );
    expect(answered).to.deep.equal({ all: 40, there: 4 });
    expect(faults).to.deep.equal([]);
  });

  it('answers a list while DATABASE_URL leads to a server in recovery', async () => {
    const moved = await openPostgres({
      url: pair.relayUrl,
      pool: 2,
      read: { url: pair.standbyUrl, report: () => {} },
    });
    await within(async () => moved.readAsOf(), Boolean);
    const list = () => new DatabaseAuditLog(moved).list({ from: YEAR.from, before: 10, limit: 1 });
    expect(await list()).to.have.length(1);
    pair.relay?.pointAt(pair.standbyUrl);
    pair.relay?.cut();
    for (let round = 0; round < 10; round += 1) {
      await wait(20);
      expect(await list()).to.have.length(1);
    }
    await moved.close();
    pair.relay?.pointAt(pair.url);
  });

  it('reads the primary where the standby hangs or breaks off in a statement', async () => {
    const many = Array.from({ length: BATCH_LINES }, () => sell());
    await Promise.all(many);
    const { length: all } = await rowsIn(pair.url, 'select from sale');
    for (const how of ['hang', 'cut'] as const) {
      await untilUsed(true);
      faults.length = 0;
      const asOf = database.readAsOf();
      const lines = sales.booked({ ...YEAR, asOf })[Symbol.asyncIterator]();
      await lines.next();
      relay[how]();
      expect(await newest()).to.be.a('string');
      expect((await statement()).lines).to.be.at.least(BATCH_LINES);
      let rest = 0;
      while (!(await lines.next()).done) rest += 1;
      expect(rest, 'lines after the first').to.equal(all - 1);
      await untilUsed(true);
      if (how === 'hang') expect(faults).to.deep.equal(['away', undefined]);
    }
  });

  it('says in the log that the standby is away, and that it is back', async () => {
    await untilUsed(true);
    relay.pointAt('postgres://127.0.0.1:1/none');
    relay.cut();
    const { asOf, lines } = await within(statement, (each) => each.asOf === null);
    expect(asOf).to.equal(null);
    await service.logged(/"level":40.*the standby does not answer/);
    expect(lines).to.be.above(BATCH_LINES);
    relay.pointAt(pair.standbyUrl);
    const back = await within(statement, (each) => each.asOf !== null);
    expect(back.asOf).not.to.equal(null);
    await service.logged(/the standby is read again/);
  });

  it('notices that the standby gets nothing from the primary any more', async () => {
    await untilUsed(true);
    await pair.separate();
    const mine = await sell();
    expect(await newest()).to.equal(mine);
    await untilUsed(false);
    expect(database.readAsOf()).to.equal(undefined);
  });

  it('does not read a server that was promoted', async () => {
    await rowsIn(pair.standbyUrl, 'select pg_promote()');
    const mine = await sell();
    expect(await newest()).to.equal(mine);
    await untilUsed(false);
    expect(faults.at(-1)).to.equal('away');
  });
});

describe('a standby that may follow another primary', () => {
  const pair = new Pair();
  const servers: PostgresServer[] = [];
  const opened: Database[] = [];
  before(async () => {
    await pair.start();
    await rowsIn(pair.url, `create role plain login password 'plain'`);
    servers.push(await pair.primary.standby(pair.url), await pair.primary.standby(pair.url));
    const attached = () => rowsIn(pair.url, 'select from pg_stat_replication');
    await within(attached, ({ length }) => length === 3);
  });
  after(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await Promise.all(servers.map((each) => each.stop()));
    await pair.stop();
  });

  const open = async (url: string, standbyUrl: string) => {
    const faults: StandbyFault[] = [];
    const report = (fault: StandbyFault) => void faults.push(fault);
    const database = await openPostgres({ url, pool: 2, read: { url: standbyUrl, report } });
    opened.push(database);
    return { faults, isUsed: async () => database.readAsOf() !== undefined };
  };
  const untilAway = (faults: readonly StandbyFault[]) => within(async () => faults[0], Boolean);

  it('is not read where it is one of another cluster', async () => {
    const other = new PostgresServer(undefined);
    servers.push(other);
    const { faults } = await open(await other.database(), pair.standbyUrl);
    expect(await untilAway(faults)).to.equal('away');
  });

  it('is not read where it still follows the primary before', async () => {
    const successor = servers[0]?.at(pair.url) ?? '';
    await rowsIn(successor, `alter system set primary_conninfo = ''`);
    await rowsIn(successor, 'select pg_reload_conf()');
    const receivers = () => rowsIn(successor, 'select from pg_stat_wal_receiver');
    await within(receivers, ({ length }) => length === 0);
    // The old primary writes more than the new one, so positions alone look as if all were there.
    await rowsIn(pair.url, 'create table tail as select generate_series(1, 100000)');
    await pair.caughtUp();
    await rowsIn(successor, 'select pg_promote()');
    const { faults } = await open(successor, pair.standbyUrl);
    expect(await untilAway(faults)).to.equal('away');
  });

  it('is read again once it follows the new primary after a failover', async () => {
    const follower = servers[1]?.at(pair.url) ?? '';
    const { conninfo } = await one<{ conninfo: string }>(
      follower,
      `select current_setting('primary_conninfo') as conninfo`,
    );
    await pair.caughtUp();
    await pair.failOver();
    const moved = conninfo.replace(/port=\d+/, `port=${new URL(pair.standbyUrl).port}`);
    await rowsIn(follower, `alter system set primary_conninfo = '${moved}'`);
    await rowsIn(follower, 'select pg_reload_conf()');
    const reader = await open(pair.standbyUrl, follower);
    expect(await within(reader.isUsed, Boolean), 'by a member of pg_read_all_stats').to.equal(true);

    const plain = Object.assign(new URL(follower), { username: 'plain', password: 'plain' });
    const plainReader = await open(pair.standbyUrl, plain.href);
    // PostgreSQL does both by itself every checkpoint_timeout.
    await rowsIn(pair.standbyUrl, 'checkpoint');
    const isUsedAfterRestartPoint = async () => {
      await rowsIn(follower, 'checkpoint');
      return plainReader.isUsed();
    };
    expect(await within(isUsedAfterRestartPoint, Boolean), 'by any role').to.equal(true);
  });
});
