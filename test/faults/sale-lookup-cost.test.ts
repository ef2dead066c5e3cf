import { expect } from 'chai';
import pg from 'pg';
import { findSalesByEitherName } from '../../adapters/persistence/sales/sale-statements.ts';
import { terms } from '../support/sales.ts';
import { sharedPostgres } from '../support/shared.ts';

/** Sales of each of ten channels. */
const SALES = 2_000;

describe('the cost of looking sales up by their names', () => {
  let client: pg.Client;
  before(async () => {
    client = new pg.Client({ connectionString: await sharedPostgres.migratedDatabase() });
    await client.connect();
    await client.query(
      `insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms,
         progress, external_sale_id)
       select 'T-' || g, 'loja-' || g % 10, 'c', 'pending', 1, now(), $1, '{}',
         case g % 3 when 0 then 'N-' || g end
       from generate_series(1, $2::int) g`,
      [JSON.stringify(terms({ payment: { collectedBy: 'service', installments: 1 } })), SALES * 10],
    );
    await client.query('vacuum analyze sale');
    // As the service runs it: with one plan for all values, which PostgreSQL keeps.
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare lookup as ${findSalesByEitherName.text}`);
  });
  after(() => client.end());

  it('does not grow with the sales of the channel', async () => {
    const numbers = Array.from({ length: 32 }, (_, index) => index * 3);
    const channels = numbers.map((number) => `loja-${number % 10}`);
    for (const kind of ['T', 'N']) {
      const names = numbers.map((number) => `${kind}-${number}`);
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute lookup('{${channels}}', '{${names}}')`,
      );
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      expect(plan['Actual Rows'], kind).to.equal(31);
      // For each name two indexes of two or three pages each, and the row.
      expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], kind).to.be.below(32 * 8);
    }
  });
});
