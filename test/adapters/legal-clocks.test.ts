import { expect } from 'chai';
import type { Instant } from '#domain';
import { type Database, openPostgres } from '../../adapters/persistence/engine/database.ts';
import {
  DatabaseLegalClocks,
  takeLateCertificates,
  takeLatePolicies,
  takeLateRefunds,
} from '../../adapters/persistence/sales/legal-clocks.ts';
import { sharedPostgres } from '../support/shared.ts';

const SALES = 30_000;
const NOW = '2026-12-20T12:00:00.000Z' as Instant;
const BEFORE = '2026-11-25T03:00:00.000Z' as Instant;

/** A sale each minute, paid to the channel, its certificate sent; a few are late. */
const FILL = `
  insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress)
  select 'T-' || n, 'canal-demo', 'client-1', case n % 10000 when 1 then 'pending' else 'paid' end, 1,
    '2026-11-20T12:00:00Z'::timestamptz + n * interval '1 minute',
    json_build_object('payment', json_build_object('collectedBy',
      case n % 10000 when 2 then 'service' else 'channel' end)), '{}'
  from generate_series(1, ${SALES}) as n;
  insert into mailing (sale_id, number, requested_at, status, settled_at)
  select id, 0, registered_at, case id % 10000
    when 3 then 'waiting' when 4 then 'handed_over' when 5 then 'undelivered' else 'sent' end,
    case when id % 10000 in (3, 4) then null else registered_at end
  from sale;
  analyze sale; analyze mailing`;

describe('the time limits of the law, in a large database', () => {
  let database: Database;
  before(async () => {
    database = await openPostgres({ url: await sharedPostgres.migratedDatabase(), pool: 2 });
    await database.executor.executeSql(FILL);
  });
  after(() => database.close());

  const planOf = async ({ text, values }: typeof takeLatePolicies): Promise<string> => {
    const given = values({ before: BEFORE, now: NOW, limit: 1_000 });
    const plan = await database.transaction((inside) =>
      inside.executeSql(`explain ${text}`, given),
    );
    return (plan.rows as Record<string, string>[]).map((row) => row['QUERY PLAN']).join('\n');
  };

  it('are found by indexes, without a scan of the sales or the mails', async () => {
    const policies = await planOf(takeLatePolicies);
    expect(policies).to.match(/Index Scan using \w+ on sale/);
    const certificates = await planOf(takeLateCertificates);
    expect(certificates)
      .to.match(/mailing_(waiting|due)/)
      .and.include('mailing_unsent');
    const refunds = await planOf(takeLateRefunds);
    expect(refunds).to.include('sale_cancelled');
    for (const plan of [policies, certificates, refunds])
      expect(plan).not.to.match(/Seq Scan on (sale|mailing)/);
  });

  it('find the few late ones among many, in statements of a thousand sales', async () => {
    const clocks = new DatabaseLegalClocks(database);
    const late: number[] = [];
    let statements = 0;
    for (let isComplete = false; !isComplete; statements += 1) {
      const found = await clocks.takeLatePolicies(BEFORE, NOW);
      late.push(...found.late.map(({ saleId }) => saleId));
      isComplete = found.isComplete;
    }
    // 4 days and 15 hours: 6,659 sales were registered before.
    expect(late).to.deep.equal([1, 2]);
    expect(statements).to.equal(7);
    const { rows } = await database.executor.executeSql('select examined_to from legal_clock');
    expect(rows).to.deep.equal([{ examined_to: '6659' }]);

    const certificates = await clocks.takeLateCertificates(BEFORE, NOW);
    expect(certificates.late.map(({ saleId }) => saleId)).to.have.members([3, 4, 5]);
  });
});
