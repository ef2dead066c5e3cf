import { instantOf, type Sale } from '#domain';
import { later } from '../clock.ts';
import { NUMBERING_DISORDER_MS, type SaleQuery, type Sales } from './sales.ts';

/** Numbers that are looked through at once for sales of a product or status. */
const WINDOW = 20_000;

/** Windows that are looked through for one page. */
const MAX_WINDOWS = 4;

/** Before all sales: the first number need not be 1. */
const EARLIEST = instantOf(new Date(0));

/** Where a list goes on: beyond this number, in its order. */
type ListPlace = number;

export type ListQuery = Omit<SaleQuery, 'updatedSince' | 'before' | 'after' | 'limit'>;

interface ListedSales {
  readonly sales: readonly Sale[];
  /** Where the list goes on; undefined: there are no more. */
  readonly next: ListPlace | undefined;
}

/**
 * Lists sales by what is cheap to look up, however many there are: a period becomes a range of
 * numbers, and sales of a product or status of all channels are looked for in a limited number. So a
 * page may have fewer sales than `limit`, or none, and be followed by others.
 */
export type ListSales = (
  query: ListQuery,
  place: ListPlace | undefined,
  limit: number,
) => Promise<ListedSales>;

/** Numbers of sales, both exclusive. */
interface Range {
  readonly after: number;
  readonly before: number;
}

/** The numbers that sales of the period can have, beyond the place. */
const rangeOf = async (
  { from, to, order }: ListQuery,
  place: ListPlace | undefined,
  sales: Sales,
  isRare: boolean,
): Promise<Range> => {
  const early = from && later(from, -2 * NUMBERING_DISORDER_MS);
  const after = early || isRare ? (await sales.numberAfter(early ?? EARLIEST)) - 1 : 0;
  const before = to
    ? await sales.numberAfter(later(to, NUMBERING_DISORDER_MS))
    : ((await sales.list({ limit: 1 }))[0]?.id ?? 0) + 1;
  const whole = { after, before };
  if (place === undefined) return whole;
  return order === 'oldest'
    ? { ...whole, after: Math.max(after, place) }
    : { ...whole, before: Math.min(before, place) };
};

/** The first numbers of a range, in the order of the list. */
const windowOf = ({ after, before }: Range, order: ListQuery['order'], size: number): Range =>
  order === 'oldest'
    ? { after, before: Math.min(before, after + size + 1) }
    : { after: Math.max(after, before - size - 1), before };

export const makeListSales = ({ sales }: { readonly sales: Sales }): ListSales =>
  async function listSales(query, place, limit) {
    const { channelLink, productCode, statuses, order } = query;
    const isRare = channelLink === undefined && Boolean(productCode ?? statuses);
    const whole = await rangeOf(query, place, sales, isRare);
    const found: Sale[] = [];
    let left = whole;
    for (let windows = 0; windows < MAX_WINDOWS && left.before - left.after > 1; windows += 1) {
      const range = isRare ? windowOf(left, order, WINDOW) : left;
      const wanted = limit - found.length;
      const listed = await sales.list({ ...query, ...range, limit: wanted + 1 } as SaleQuery);
      found.push(...listed.slice(0, wanted));
      if (listed.length > wanted) return { sales: found, next: found.at(-1)?.id };
      left =
        order === 'oldest'
          ? { ...left, after: range.before - 1 }
          : { ...left, before: range.after + 1 };
    }
    const isOver = left.before - left.after <= 1;
    return {
      sales: found,
      next: isOver ? undefined : order === 'oldest' ? left.after : left.before,
    };
  };
