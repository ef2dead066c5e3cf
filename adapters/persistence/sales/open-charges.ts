import { type Query, statement } from '../engine/statement.ts';

/** How many sales of a gateway have an open charge, or a refund that is due. */
export interface OpenSales {
  readonly gateway: string;
  readonly sales: number;
}

/** Such a sale has a job. The queues are those of `adapters/jobs/queues.ts`. */
const countOpenSales = statement<{ readonly gateways: readonly string[] }, OpenSales>(
  'count-open-sales-of-other-gateways',
  `
    select progress->'payment'->>'gateway' as gateway, count(*)::int as sales
    from sale
    where id in (
      select (data->>'saleId')::bigint from jobs.job
      where name in ('resume-sale', 'await-payer') and state < 'completed'
    ) and progress->'payment'->>'gateway' <> all ($gateways)
    group by 1 order by 1`,
  { isSlow: true },
);

/** The open sales of all gateways but these. @throws Unavailable */
export const openSalesOfOthers = (
  query: Query,
  gateways: readonly string[],
): Promise<readonly OpenSales[]> => query(countOpenSales, { gateways });
