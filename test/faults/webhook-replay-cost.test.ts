import { expect } from 'chai';
import pg from 'pg';
import type { Instant } from '#domain';
import { replayEvents } from '../../adapters/persistence/webhooks/webhook-delivery-statements.ts';
import { sharedPostgres } from '../support/shared.ts';

const EVENTS = 20_000;

/** Events of a step. */
const LIMIT = 200;

/** Rows that a node of the plan may return for each event. Reading all that waits returns 20,000. */
const MOST_ROWS = 20;

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows of the node that returns most, of all its loops together. */
const mostRows = (node: PlanNode): number =>
  Math.max(node['Actual Rows'] * node['Actual Loops'], ...(node.Plans ?? []).map(mostRows));

describe('the cost of a step of a replay', () => {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client({ connectionString: await sharedPostgres.migratedDatabase() });
    await client.connect();
  });
  after(() => client.end());

  const deliver = (endpointId: string, from: number, to: number): Promise<unknown> =>
    client.query(
      `insert into webhook_delivery (endpoint_id, place, status, created_at, next_at)
       select $1, g, 'waiting', now(), now() from generate_series($2::int, $3::int) g`,
      [endpointId, from, to],
    );

  /** What a step costs, in rows. */
  const costOf = async (after: number): Promise<number> => {
    const values = replayEvents.values({
      ...{ endpointId: 'whe_1', channelLink: 'loja', types: ['sale.refused'], after },
      ...{ from: '2020-01-01T00:00:00.000Z' as Instant, to: '2030-01-01T00:00:00.000Z' as Instant },
      ...{ now: '2026-11-20T15:00:00.000Z' as Instant, limit: LIMIT },
    });
    const explain = `explain (analyze, format json) ${replayEvents.text}`;
    const { rows } = await client.query(explain, values);
    return mostRows(rows[0]['QUERY PLAN'][0].Plan);
  };

  it('does not grow with what waits, also while PostgreSQL does not know how much waits', async () => {
    await client.query(
      `insert into partner_event (place, id, channel_link, type, at)
       select g, 'a1b2c3d4-0000-4000-8000-000000000000', 'loja', 'sale.refused', now()
       from generate_series(1, $1::int) g`,
      [EVENTS],
    );
    await client.query('update event_numbering set last_place = $1', [EVENTS]);
    await deliver('whe_1', 1, 50);
    await client.query('vacuum analyze partner_event');

    await deliver('whe_1', 51, EVENTS);
    expect(await costOf(EVENTS / 2)).to.be.below(LIMIT * MOST_ROWS);
    const { rows } = await client.query('select count(*)::int from webhook_delivery');
    expect(rows[0].count, 'what waits is left out').to.equal(EVENTS);
  });
});
