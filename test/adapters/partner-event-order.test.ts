import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import type { Instant } from '#domain';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import { makeGivePlaces } from '../../adapters/persistence/events/partner-event-places.ts';
import { DatabasePartnerEvents } from '../../adapters/persistence/events/partner-events.ts';
import { DatabaseDeliveries } from '../../adapters/persistence/webhooks/webhook-deliveries.ts';
import { beginReplay } from '../../adapters/persistence/webhooks/webhook-delivery-statements.ts';
import { EVENT_TYPES, type FeedPage } from '../../application/events/partner-events.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { startChild } from '../support/children.ts';
import { insertSale } from '../support/sale-writer.ts';
import { AT } from '../support/sales.ts';
import { sharedPostgres } from '../support/shared.ts';

const WRITER = join(import.meta.dirname, '../support/sale-writer.ts');

describe('the order of events while many processes write', () => {
  let url: string;
  let databases: readonly Database[];
  let stores: readonly [DatabasePartnerEvents, DatabasePartnerEvents];
  const clients: pg.Client[] = [];
  const children: ChildProcess[] = [];

  before(async () => {
    url = await sharedPostgres.migratedDatabase();
    databases = await Promise.all([0, 1].map(() => openPostgres({ url, pool: 4 })));
    const [one, other] = databases.map((database) => new DatabasePartnerEvents(database));
    stores = [one, other] as typeof stores;
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
    await Promise.all(databases.map((database) => database.close()));
  });

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const read = async (channelLink: string, after: number): Promise<FeedPage> => {
    const page = await stores[0].read({ channelLink, after, types: EVENT_TYPES, limit: 200 });
    if (page === 'deleted') throw new Error(page);
    return page;
  };
  const salesIn = ({ events }: FeedPage): readonly number[] =>
    events.map((event) => ('sale' in event ? event.sale.id : 0));
  const begin = async (client: pg.Client, ticket: string, channel: string): Promise<number> => {
    await client.query('begin');
    return insertSale(client, ticket, channel);
  };

  it('gives a sale that is committed later a later place, and waits for none', async () => {
    const [slow, fast] = await Promise.all([connect(), connect()]);
    const first = await begin(slow, 'slow', 'waited');
    const second = await begin(fast, 'fast', 'waited');
    await fast.query('commit');
    expect(second).to.be.greaterThan(first);

    expect(await stores[0].givePlaces(AT)).to.equal('done');
    const before = await read('waited', 0);
    expect(salesIn(before)).to.deep.equal([second]);

    await slow.query('commit');
    expect(await stores[1].givePlaces(AT)).to.equal('done');
    expect(salesIn(await read('waited', before.next))).to.deep.equal([first]);
  });

  it('leaves the numbering to the process that is doing it', async () => {
    const numbering = await connect();
    await numbering.query('begin');
    await numbering.query('select from event_numbering for update');
    const id = await insertSale(numbering, 'numbered', 'elsewhere');
    const other = await insertSale(await connect(), 'waiting', 'elsewhere');
    expect(await stores[0].givePlaces(AT)).to.equal('done');
    expect(salesIn(await read('elsewhere', 0))).to.deep.equal([]);
    await numbering.query('commit');
    expect(await stores[1].givePlaces(AT)).to.equal('done');
    expect(salesIn(await read('elsewhere', 0))).to.deep.equal([id, other]);
  });

  it('keeps the order of a sale, when another process gives places between the look and the lock', async () => {
    const client = await connect();
    const first = await insertSale(client, 'told', 'told');
    await client.query(
      `insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress)
       select 'told-' || g, channel_link, client_id, status, version, registered_at, terms, progress
       from sale, generate_series(1, 1199) g where id = $1`,
      [first],
    );
    await client.query(
      `insert into new_registration (sale_ids) select array_agg(id) from sale
       where channel_link = 'told' and id > $1 group by (id - $1) / 50 order by 1`,
      [first],
    );
    const last = first + 1199;
    await client.query(
      `insert into new_partner_event (channel_link, type, at, sale_id, state)
       select channel_link, 'sale.refused', now(), id,
         state_of_sale(version, 'refused', now(), progress) from sale where id = $1`,
      [last],
    );
    // The other one waits for this lock after it has begun to look.
    const [, other] = databases as [Database, Database];
    const lateGivePlaces = makeGivePlaces(({ name: _, text, ...statement }, values) => {
      const late = text.replace(
        'where exists (select from new_registration)',
        'where pg_advisory_xact_lock(1) is not null and exists (select from new_registration)',
      );
      return other.query({ ...statement, text: late }, values);
    });
    await client.query('select pg_advisory_lock(1)');
    const later = lateGivePlaces(AT);
    const waiting = `
      select from pg_locks join pg_database as own on own.oid = database
      where datname = current_database() and locktype = 'advisory' and not granted`;
    while ((await client.query(waiting)).rowCount === 0) await setTimeout(5);
    expect(await stores[0].givePlaces(AT)).to.equal('more');
    await client.query('select pg_advisory_unlock(1)');
    expect(await later).to.equal('more');
    while ((await stores[0].givePlaces(AT)) !== 'done');

    const { rows } = await client.query(
      `select array_agg(type order by place) as types, (select count(*)::int from partner_event
         where channel_link = 'told') as count from partner_event where sale_id = $1`,
      [last],
    );
    expect(rows).to.deep.equal([{ types: ['sale.registered', 'sale.refused'], count: 1_201 }]);
  });

  it('gives no place twice, when a server has taken over that lacks the last commits', async () => {
    const client = await connect();
    await insertSale(client, 'before', 'failed-over');
    await stores[0].givePlaces(AT);
    const { next } = await read('failed-over', 0);
    await client.query(`update event_numbering set last_place = last_place - 1, server = 'old'`);
    await client.query(`delete from partner_event where channel_link = 'failed-over'`);
    await client.query(`delete from sale where ticket = 'before'`);

    const id = await insertSale(client, 'after', 'failed-over');
    await stores[0].givePlaces(AT);
    expect(salesIn(await read('failed-over', next))).to.deep.equal([id]);
  });

  it('tells a registration under the same id, when a server has taken over that lacks its place', async () => {
    const client = await connect();
    const id = await insertSale(client, 'told-again', 'told-again');
    const told = async () => {
      await stores[0].givePlaces(AT);
      return (await read('told-again', 0)).events.map((event) => event.id);
    };
    const before = await told();
    await client.query(`delete from partner_event where channel_link = 'told-again'`);
    await client.query(`update event_numbering set last_place = last_place - 1, server = 'old'`);
    await client.query('insert into new_registration (sale_ids) values (array[$1::bigint])', [id]);
    expect(before).to.have.length(1);
    expect(await told()).to.deep.equal(before);
  });

  it('replays events that got their places after later ones', async () => {
    const client = await connect();
    const hour = (number: number, minutes = 0) =>
      new Date(Date.parse('2026-10-01T00:00:00Z') + (60 * number + minutes) * 60_000);
    const happened = (number: number, minutes: number, type = 'sale.refused') =>
      client.query(
        `insert into new_partner_event (channel_link, type, at) select 'late', $1, $2
         from generate_series(1, 300)`,
        [type, hour(number, minutes)],
      );
    const givePlaces = async (at: Date) => {
      while ((await stores[0].givePlaces(at.toISOString() as Instant)) !== 'done');
    };
    await client.query('delete from place_mark');
    for (let number = 0; number < 10; number += 1) {
      await happened(number, 10);
      await givePlaces(hour(number, 11));
    }
    // No worker runs for some hours: two kinds of events wait, one before the other.
    for (const type of ['sale.refused', 'sale.cancelled'])
      for (let number = 10; number < 14; number += 1) await happened(number, 10, type);
    await givePlaces(hour(14));
    await happened(14, 10);
    await givePlaces(hour(15, 11));
    await client.query(
      `insert into webhook_endpoint (id, channel_link, url, events, created_at, sealed_secret, version)
       values ('late', 'late', 'https://late.example', '["sale.refused", "sale.cancelled"]', now(), '', 1)`,
    );
    const replayed = async (from: Date, to: Date): Promise<number> => {
      await client.query('truncate webhook_delivery');
      const step = { endpointId: 'late', now: AT, limit: 1_000 };
      const time = { from: from.toISOString() as Instant, to: to.toISOString() as Instant };
      const [database] = databases as [Database];
      const deliveries = new DatabaseDeliveries(database);
      let after: number | undefined = 0;
      while (after !== undefined) after = await deliveries.replay({ ...step, ...time, after });
      return (await client.query('select from webhook_delivery')).rowCount ?? 0;
    };
    for (let number = 0; number < 10; number += 1)
      expect(await replayed(hour(number), hour(number + 1)), `hour ${number}`).to.equal(300);
    for (let number = 10; number < 14; number += 1)
      expect(await replayed(hour(number), hour(number + 1)), `hour ${number}`).to.equal(600);
    expect(await replayed(hour(14), hour(15))).to.equal(300);

    // A replay of the last hour does not read all that was before.
    const [database] = databases as [Database];
    const [begun] = await database.query(beginReplay, {
      endpointId: 'late',
      from: hour(14).toISOString() as Instant,
    });
    const { rows } = await client.query(
      `select min(place)::int as first from partner_event where channel_link = 'late'`,
    );
    expect(Number(begun?.start)).to.be.greaterThan(rows[0].first);
  });

  it('makes the deliveries of a backlog in steps, and in smaller ones after a failure', async () => {
    const client = await connect();
    await client.query(
      `insert into webhook_endpoint (id, channel_link, url, events, created_at, sealed_secret, version)
       select 'whe_' || g, 'backlog', 'https://a.example/' || g, $1, now(), '', 1
       from generate_series(1, 20) g`,
      [JSON.stringify(['sale.registered', 'sale.refused'])],
    );
    await insertSale(client, 'backlog', 'backlog');
    await client.query(
      `insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress)
       select 'backlog-' || g, channel_link, client_id, status, version, registered_at, terms, progress
       from sale, generate_series(1, 999) g where ticket = 'backlog'`,
    );
    await client.query(
      `insert into new_registration (sale_ids) select array_agg(id) from sale
       where ticket like 'backlog-%' group by id / 50 order by id / 50`,
    );
    await client.query(
      `insert into new_partner_event (channel_link, type, at, sale_id, state)
       select channel_link, 'sale.refused', now(), id,
         state_of_sale(version, 'refused', now(), progress) from sale where channel_link = 'backlog'`,
    );
    const sizes: number[] = [];
    const [database] = databases as [Database];
    const givePlaces = makeGivePlaces((statement, values) => {
      const { step } = values as { readonly step: number };
      sizes.push(step);
      if (step > 100) throw new Unavailable('it took too long');
      return database.query(statement, values);
    });
    let outcome = '';
    while (outcome !== 'done') {
      outcome = await givePlaces(AT).catch((error: unknown) => {
        expect(error).to.be.instanceOf(Unavailable);
        return 'failed';
      });
    }
    expect(Math.max(...sizes)).to.be.at.most(1_024);
    expect(Math.min(...sizes)).to.be.at.most(100);
    const { rows } = await client.query(
      `select count(*)::int as count, count(distinct (endpoint_id, place))::int as different
       from webhook_delivery where endpoint_id like 'whe_%'`,
    );
    expect(rows[0]).to.deep.equal({ count: 40_000, different: 40_000 });
  });

  it('shows a follower each sale once, while writers delay, roll back and are killed', async () => {
    const printed = new Set<number>();
    const writers = Array.from({ length: 6 }, (_, index) => {
      const child = startChild(process.execPath, [WRITER, url, `writer-${index}`, '120'], {});
      children.push(child);
      child.stdout?.on('data', (lines: Buffer) => {
        for (const id of lines.toString().split('\n')) if (id !== '') printed.add(Number(id));
      });
      return { child, ended: once(child, 'close') };
    });
    const endedAll = Promise.all(writers.map(({ ended }) => ended));
    let isOver = false;
    void endedAll.then(() => {
      isOver = true;
    });

    const numbering = stores.map(async (store) => {
      while (!isOver) await store.givePlaces(AT);
    });
    const seen: number[] = [];
    const follow = async (): Promise<void> => {
      let after = 0;
      const step = async (): Promise<boolean> => {
        const page = await read('raced', after);
        seen.push(...salesIn(page));
        after = page.next;
        return page.events.length > 0;
      };
      while (!isOver) await step();
      while ((await stores[0].givePlaces(AT)) !== 'done') await setTimeout(5);
      while (await step());
    };
    const kill = async (): Promise<void> => {
      for (const { child } of writers.slice(0, 3)) {
        const wanted = printed.size + 40;
        while (printed.size < wanted && !isOver) await setTimeout(2);
        child.kill('SIGKILL');
      }
    };
    await Promise.all([...numbering, follow(), kill(), endedAll]);

    expect(seen).to.have.length(new Set(seen).size);
    const client = await connect();
    const { rows } = await client.query(`select id::int from sale where channel_link = 'raced'`);
    const stored = rows.map(({ id }) => id as number);
    expect(seen).to.have.members(stored);
    for (const id of printed) expect(stored).to.include(id);
    expect(stored.length).to.be.within(300, 720);
  });
});
