import { expect } from 'chai';
import { temporaryFolder } from '../support/children.ts';
import { GroupSeller } from '../support/group-seller.ts';
import { GroupedService } from '../support/grouped-service.ts';
import { runOperator } from '../support/operator-command.ts';
import { freePort, PostgresServer, rowsIn } from '../support/postgres.ts';
import { ServiceProcess } from '../support/service.ts';
import { sharedPostgres } from '../support/shared.ts';
import { within } from '../support/stores.ts';

const isSold = (status: number): boolean => status === 201;

/** A database whose role has only the rights that the guide names. */
const ownDatabase = async (server: PostgresServer): Promise<string> => {
  const url = new URL(await server.database());
  await rowsIn(
    url.href,
    `do $$ begin
      create role sales login replication password 'secret';
      grant pg_create_subscription to sales;
    exception when duplicate_object then null;
    end $$`,
  );
  await rowsIn(url.href, `alter database ${url.pathname.slice(1)} owner to sales`);
  [url.username, url.password] = ['sales', 'secret'];
  return url.href;
};

describe('moving a group of channels to another server', () => {
  const logical = { wal_level: 'logical' };
  const servers = [0, 1].map(() => new PostgresServer(undefined, logical));
  const [first, second] = servers as [PostgresServer, PostgresServer];
  let groups: GroupedService;
  let control: string;
  let from: string;
  let to: string;
  before(async function () {
    if (process.env['TEST_DATABASE_URL'] !== undefined) this.skip();
    [from, to] = [await ownDatabase(first), await ownDatabase(second)];
    control = await sharedPostgres.migratedDatabase();
    const PORT = String(await freePort());
    const environment = { DATA_DIR: temporaryFolder(), PORT, RATE_LIMIT: 'off' };
    groups = await new GroupedService({ ...environment, DATABASE_URL: control }).start(from);
  });
  after(async () => {
    await groups?.service.end();
    for (const each of servers) await each.stop();
  });

  const move = (address: string) =>
    runOperator(['group', 'move', '1', address], groups.environment as Record<string, string>);

  const refused = async (address: string): Promise<string> => {
    const { code, errors } = await move(address);
    expect(code).to.equal(1);
    return errors;
  };

  const sellers = (name: string): GroupSeller[] =>
    [0, 1, 2].map(
      (each) => new GroupSeller(groups, groups.partners[1] as never, `${name}-${each}`),
    );

  /** Nothing is lost, stored twice or renumbered, and each sale has its events, in order. */
  const expectAllOf = async (sold: readonly GroupSeller[], url: string): Promise<void> => {
    const stored = await rowsIn<{ name: string; id: string }>(
      url,
      'select external_sale_id as name, id from sale',
    );
    const ids = new Map(stored.map(({ name, id }) => [name, Number(id)]));
    expect(ids.size).to.equal(stored.length);
    for (const each of sold)
      for (const [name, id] of each.sold) expect([name, ids.get(name)]).to.deep.equal([name, id]);
    const events = () =>
      rowsIn<{ sales: number; places: number; events: number; rises: boolean }>(
        url,
        `
          select count(distinct sale_id)::int as sales, count(distinct place)::int as places,
            count(*)::int as events, bool_and(rises) as rises
          from (select sale_id, place, place > coalesce(lag(place) over (order by place), 0) as rises
            from partner_event) as each`,
      );
    const [told] = await within(events, ([found]) => found?.sales === stored.length);
    expect(told).to.deep.include({ sales: stored.length, places: told?.events, rises: true });
  };

  const leftBehind = async (): Promise<readonly object[]> => [
    ...(await rowsIn(from, 'select slot_name from pg_replication_slots')),
    ...(await rowsIn(from, 'select pubname from pg_publication')),
    ...(await rowsIn(to, 'select subname from pg_subscription')),
  ];

  it('is refused where it could lose something', async () => {
    const same = new URL(from);
    same.searchParams.set('application_name', 'same');
    expect(await refused(same.href)).to.include('in this database already');
    expect(await refused('embedded')).to.include('only to another postgres');
    const used = await ownDatabase(second);
    await runOperator(['group', 'add', used], groups.environment as Record<string, string>);
    expect(await refused(used)).to.include('this is the database of group 2');
    expect(await refused(control)).to.include('must not have API clients');
    expect(await leftBehind()).to.deep.equal([]);
  });

  it('goes on where the command was killed, while requests were waiting', async () => {
    const selling = sellers('killed');
    for (const each of selling) await each.more(20, isSold);
    const command = new ServiceProcess(groups.environment, [
      ...[process.execPath, 'bootstrap/admin.ts', 'group', 'move', '1', to],
    ]);
    const phase = async () => {
      const text = `select move ->> 'phase' as phase from channel_group where number = 1`;
      return (await rowsIn<{ phase: string | null }>(control, text))[0]?.phase;
    };
    await within(phase, (found) => found === 'switching');
    await command.end('SIGKILL');
    expect(await phase(), command.errors).to.equal('switching');

    const { code, errors } = await move(to);
    expect(code, errors).to.equal(0);
    for (const each of selling) await each.more(20, isSold);
    for (const each of selling) {
      await each.stop();
      const others = each.statuses.filter((status) => !isSold(status));
      expect(new Set([503, ...others])).to.deep.equal(new Set([503]));
    }
    await expectAllOf(selling, to);
    expect(await leftBehind()).to.deep.equal([]);
    const late = await rowsIn(from, 'delete from sale').catch(({ code: fault }) => fault);
    expect(late).to.equal('25006');
  });

  it('lets requests wait, and refuses none', async () => {
    const third = await ownDatabase(first);
    const selling = sellers('waiting');
    for (const each of selling) await each.more(20, isSold);
    const { code, errors } = await move(third);
    expect(code, errors).to.equal(0);
    expect(errors).to.match(/(\d+) of \1 tables/);
    for (const each of selling) await each.more(20, isSold);
    for (const each of selling) await each.stop();
    for (const each of selling) expect(each.statuses.every(isSold)).to.equal(true);
    await expectAllOf(selling, third);
    const gaps = selling.map(({ longestGapMs }) => Math.round(longestGapMs));
    process.stdout.write(`    longest pause of each seller: ${gaps.join(', ')} ms\n`);
    [from, to] = [third, await ownDatabase(second)];
  });

  it('is given up by the present address, also where the target is gone', async () => {
    const selling = sellers('given-up');
    for (const each of selling) await each.more(5, isSold);
    const command = new ServiceProcess(groups.environment, [
      ...[process.execPath, 'bootstrap/admin.ts', 'group', 'move', '1', to],
    ]);
    await within(
      async () => command.errors,
      (found) => found.includes('tables'),
    );
    await command.end('SIGKILL');
    await second.outage(async () => {
      const { code, errors } = await move(from);
      expect(code, errors).to.equal(0);
      expect(await rowsIn(from, 'select slot_name from pg_replication_slots')).to.deep.equal([]);
    });
    for (const each of selling) await each.more(20, isSold);
    for (const each of selling) await each.stop();
    await expectAllOf(selling, from);
  });
});
