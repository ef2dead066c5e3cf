import {
  type Bookable,
  type Booking,
  bookingsOf,
  type Cents,
  type Collector,
  type Instant,
  instantOf,
} from '#domain';
import type { BookedLine, BookQuery } from '../../application/sales/sales.ts';
import type { Run } from './statement.ts';

/** Lines read at once. */
const BATCH = 200;

const AMOUNTS = {
  net: `agreed#>>'{quote,premium,net}'`,
  iof: `agreed#>>'{quote,premium,iof}'`,
  total: `agreed#>>'{quote,premium,total}'`,
  commission: `agreed#>>'{quote,commission,amount}'`,
  net_amount: `agreed#>>'{quote,commission,netAmount}'`,
  refund_net: `happened#>>'{cancellation,refund,net}'`,
  refund_iof: `happened#>>'{cancellation,refund,iof}'`,
  refund_total: `happened#>>'{cancellation,refund,total}'`,
  refund_commission: `happened#>>'{cancellation,commission,reversed,amount}'`,
  refund_net_amount: `happened#>>'{cancellation,commission,reversed,netAmount}'`,
} as const;

/** Of a sale, what concerns the books: whole sales of a busy month would be many times as much to read. */
const BOOKABLE = `
  id::text as sale_id, ticket, external_sale_id, agreed#>>'{product,code}' as product, agreed#>>'{plan,code}' as plan,
  agreed#>>'{payment,collectedBy}' as collected_by,
  extract(epoch from booked_at)::float8 * 1000 as booked_at, extract(epoch from cancelled_at)::float8 * 1000 as cancelled_at,
  ${Object.entries(AMOUNTS)
    .map(([name, path]) => `(${path})::float8 as ${name}`)
    .join(', ')}`;

/** Once for all figures of a sale: each would read its whole text again. */
const TAKEN_APART =
  'lateral (select terms::jsonb as agreed, progress::jsonb as happened offset 0) as taken_apart';

const placesBy = (kind: Booking['kind'], order: number, time: string): string => `
  (select id, ${time} as at, ${order} as line, '${kind}' as kind from sale
    where channel_link = $1 and ${time} >= $2 and ${time} < $3 and (${time}, id, ${order}) > ($2, $4, $5)
    order by ${time}, id limit $6)`;

/** What comes after a place in the books: a moment, in it a sale, and of that a line. */
const nextLines = {
  name: 'next-lines-of-books',
  isSlow: true as const,
  text: `
    with places as (
      select id, at, line, kind from (${placesBy('sale', 1, 'booked_at')} union all ${placesBy('refund', 2, 'cancelled_at')}) as found
      order by at, id, line limit $6)
    select at, line, kind, ${BOOKABLE} from places join sale using (id), ${TAKEN_APART} order by at, id, line`,
};

/** Those of a refund are there where the sale has been cancelled. */
type StoredAmounts = { readonly [Name in keyof typeof AMOUNTS]: Cents };

interface StoredLine extends StoredAmounts {
  readonly at: Date | string;
  readonly line: number;
  readonly kind: Booking['kind'];
  readonly sale_id: string;
  readonly ticket: string;
  readonly external_sale_id: string | null;
  readonly product: string;
  readonly plan: string;
  readonly collected_by: Collector;
  /** Milliseconds. */
  readonly booked_at: number | null;
  readonly cancelled_at: number | null;
}

/** What was booked, in the order of time, some hundred lines in memory at once. */
export async function* bookedLines(
  run: Run,
  { channelLink, from, to }: BookQuery,
): AsyncIterable<BookedLine> {
  let place = { at: from as Date | string, id: '0', line: 0 };
  for (;;) {
    const rows = await run<StoredLine>(nextLines, [
      channelLink,
      place.at,
      to,
      place.id,
      place.line,
      BATCH,
    ]);
    for (const row of rows) yield* linesIn(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    place = { at: last.at, id: last.sale_id, line: last.line };
  }
}

/** The line that was found, unless the sale has none of that kind. */
const linesIn = (row: StoredLine): readonly BookedLine[] => {
  const { ticket, external_sale_id: externalSaleId, product, plan } = row;
  const sale = { id: Number(row.sale_id), ticket, productCode: product, planCode: plan };
  const named = externalSaleId === null ? sale : { ...sale, externalSaleId };
  return bookingsOf(bookableIn(row))
    .filter(({ kind }) => kind === row.kind)
    .map((booking) => ({ booking, sale: named }));
};

const moment = (milliseconds: number): Instant => instantOf(new Date(milliseconds));

const bookableIn = (row: StoredLine): Bookable => {
  const { booked_at: bookedAt, cancelled_at: cancelledAt, net, iof, total } = row;
  const sold = {
    ...(bookedAt !== null && { bookedAt: moment(bookedAt) }),
    terms: {
      payment: { collectedBy: row.collected_by },
      quote: {
        premium: { net, iof, total },
        commission: { amount: row.commission, netAmount: row.net_amount },
      },
    },
  };
  if (cancelledAt === null) return sold;
  const refund = { net: row.refund_net, iof: row.refund_iof, total: row.refund_total };
  const reversed = { amount: row.refund_commission, netAmount: row.refund_net_amount };
  return {
    ...sold,
    cancelledAt: moment(cancelledAt),
    cancellation: { refund, commission: { reversed } },
  };
};
