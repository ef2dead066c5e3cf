import { expect } from 'chai';
import pg from 'pg';
import { readFeed } from '../../adapters/persistence/events/partner-event-feed.ts';
import { EVENT_TYPES, type EventType } from '../../application/events/partner-events.ts';
import { terms } from '../support/sales.ts';
import { sharedPostgres } from '../support/shared.ts';

/** Sales of the channel. */
const SALES = 20_000;

const LIMIT = 51;

describe('the cost of a page of events', () => {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client({ connectionString: await sharedPostgres.migratedDatabase() });
    await client.connect();
    await client.query('set plan_cache_mode = force_generic_plan');
  });
  after(() => client.end());

  const sell = (count: number): Promise<unknown> =>
    client.query(
      `insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress)
       select 'T-' || g, 'loja', 'c', 'pending', 1, now(), $1, '{}' from generate_series(1, $2::int) g`,
      [JSON.stringify(terms({ payment: { collectedBy: 'service', installments: 1 } })), count],
    );
  /** Events of the channel, and as many of another, in one series of places. */
  const addEvents = (from: number, to: number): Promise<unknown> =>
    client.query(
      `insert into partner_event (place, id, channel_link, type, at, sale_id)
       select g, 'a1b2c3d4-0000-4000-8000-000000000000', case g % 2 when 0 then 'loja' else 'outra' end,
         'sale.refused', now(), g % $3::int + 1
       from generate_series($1::int, $2::int) g`,
      [from, to, SALES],
    );
  /** The pages of the database that a page of events reads. */
  const pagesRead = async (after: number, types: readonly EventType[]): Promise<number> => {
    const values = readFeed.values({ channelLink: 'loja', after, types, limit: LIMIT });
    const literals = values.map((value) =>
      Array.isArray(value) ? `'{${value.join()}}'` : pg.escapeLiteral(String(value)),
    );
    // As the service runs it: with one plan for all values, which PostgreSQL keeps.
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute feed(${literals.join(', ')})`,
    );
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  };
  const settle = async (lastPlace: number): Promise<void> => {
    await client.query(`update event_numbering set last_place = $1`, [lastPlace]);
    await client.query('vacuum analyze partner_event, sale');
    await client.query(`deallocate all`);
    await client.query(`prepare feed as ${readFeed.text}`);
  };

  it('is the same among 1,000,000 events as among 1,000', async () => {
    await sell(SALES);
    const base = 2 * SALES;
    await client.query(
      `insert into partner_event (place, channel_link, type, at, sale_id)
       select 2 * id, channel_link, 'sale.registered', registered_at, id from sale`,
    );
    await addEvents(base + 1, base + 1_000);
    await settle(base + 1_000);
    const places = [0, base / 2, base + 500];
    const wanted: readonly (readonly EventType[])[] = [
      EVENT_TYPES,
      ['sale.refused'],
      ['sale.refunded'],
      ['sale.registered'],
    ];
    const few: number[][] = [];
    for (const types of wanted) {
      const costs: number[] = [];
      for (const place of places) costs.push(await pagesRead(place, types));
      few.push(costs);
    }
    await addEvents(base + 1_001, base + 1_000_000);
    await settle(base + 1_000_000);
    for (const [turn, types] of wanted.entries())
      for (const [index, place] of [...places, base + 999_900].entries()) {
        const before = few[turn]?.[Math.min(index, 2)] as number;
        // An index that is a level deeper costs a page for each look into it.
        expect(await pagesRead(place, types), `${types} after ${place}`).to.be.at.most(
          before + 2 * EVENT_TYPES.length,
        );
      }
  });
});
