import { type Instant, instantOf, type Sale } from '#domain';
import { type CollectedPeriod, NUMBERING_DISORDER_MS } from '../../../application/sales/sales.ts';
import { type Query, statement } from '../engine/statement.ts';
import { selection } from '../schema/columns.ts';
import { SALE_STATE, saleOfRow } from '../schema/sale-row.ts';

/** Numbers that one statement looks at: no more sales are in memory at once. */
const STEP = 500;

/** A walk down the primary key ends at the first row that fits. */
const findLastId = statement<{ readonly at: Instant }, { readonly id: string }>(
  'last-sale-before',
  'select id from sale where registered_at < $at order by sale.id desc limit 1',
  { isSlow: true },
);

interface Ends {
  readonly oldest: string | null;
  readonly newest: string | null;
  /** Whether the oldest sale was registered after the time. */
  readonly isLater: boolean | null;
}

/** The first and the last number. Those of a group of channels begin at 10^11 and more. */
const findEnds = statement<{ readonly at: Instant }, Ends>(
  'ends-of-sales',
  `
    select oldest.id as oldest, oldest.registered_at > $at as "isLater", newest.id as newest
    from (select id, registered_at from sale order by sale.id limit 1) as oldest,
      (select max(id) as id from sale) as newest`,
);

/**
 * A range of numbers, so that the primary key serves it whatever the planner knows of times. Sorted
 * by the column: the number that is selected is a text.
 */
const loadCollected = statement<
  CollectedPeriod & { readonly after: number; readonly upTo: number },
  object
>(
  'sales-collected-by-service',
  `
    select ${selection(SALE_STATE)} from sale
    where id > $after and id <= $upTo and registered_at >= $from and registered_at < $to
      and terms#>>'{payment,collectedBy}' = 'service'
    order by sale.id`,
  { isSlow: true },
);

/** The highest number of the sales registered before a time; 0 if there was no sale. */
export const lastIdBefore = async (query: Query, at: Instant): Promise<number> => {
  const [found] = await query(findLastId, { at });
  return Number(found?.id ?? 0);
};

const findFrom = statement<
  { readonly from: number; readonly at: Instant },
  { readonly isLater: boolean }
>(
  'sale-from-number',
  `
    select registered_at > $at as "isLater" from sale where id >= $from
    order by sale.id limit 1`,
);

/** The number from which sales were registered after a time, as far as numbers follow times. */
export const numberAfter = async (query: Query, at: Instant): Promise<number> => {
  const [ends] = await query(findEnds, { at });
  let [low, high] = [Number(ends?.oldest ?? 0), Number(ends?.newest ?? 0) + 1];
  if (ends?.isLater === true) return low;
  while (high - low > 1) {
    const from = Math.floor((low + high) / 2);
    const [found] = await query(findFrom, { from, at });
    if (found?.isLater === false) low = from;
    else high = from;
  }
  return high;
};

/** The sales of a period whose money the service collects, in the order of their numbers. */
export async function* collectedSales(query: Query, period: CollectedPeriod): AsyncIterable<Sale> {
  const before = instantOf(new Date(Date.parse(period.from) - NUMBERING_DISORDER_MS));
  const [ends] = await query(findEnds, { at: before });
  const [first, last] = [Number(ends?.oldest ?? 0), Number(ends?.newest ?? 0)];
  let after = ends?.isLater === false ? await lastIdBefore(query, before) : 0;
  for (after = Math.max(after, first - 1); after < last; after += STEP) {
    const range = { after, upTo: Math.min(after + STEP, last) };
    for (const row of await query(loadCollected, { ...period, ...range })) yield saleOfRow(row);
  }
}
