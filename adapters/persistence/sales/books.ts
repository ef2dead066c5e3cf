import {
  type Booking,
  bookingsOf,
  channelTextsOf,
  type Instant,
  refundPending,
  refundsOf,
  type Sale,
  type SaleTerms,
} from '#domain';
import type { BookedLine, BookQuery } from '../../../application/sales/sales.ts';
import type { Database } from '../engine/database.ts';
import { type StatementOf, statement } from '../engine/statement.ts';
import { moment } from '../schema/columns.ts';
import { channelTextsJson } from '../schema/sale-row.ts';

/** Lines read at once. */
const BATCH_LINES = 200;

/** A condition that reads the terms of each sale: for books with filters alone. */
const HAS_TEXTS = 'and terms::jsonb @> $channelTexts::jsonb';

const nextPlaces = (
  [kind, line, time]: readonly [kind: Booking['kind'], line: number, time: string],
  filter: string,
): string => `
  (select id, ${time} as at, ${line} as line, '${kind}' as kind from sale
    where channel_link = $channelLink and ${time} >= $at and ${time} < $to ${filter}
      and (${time}, id, ${line}) > ($at, $saleId, $line)
    order by ${time}, id limit $limit)`;

interface PlaceInBooks {
  readonly channelLink: string;
  readonly to: Instant;
  readonly at: Date | string;
  readonly saleId: string;
  readonly line: number;
  readonly limit: number;
  readonly channelTexts: string | null;
}

interface StoredLine {
  readonly at: Date | string;
  readonly line: number;
  readonly kind: Booking['kind'];
  readonly saleId: string;
  readonly ticket: string;
  readonly externalSaleId: string | null;
  readonly status: Sale['status'];
  readonly bookedAt: Date | string | null;
  readonly terms: SaleTerms;
  /** Null for the line of a sale. */
  readonly progress: object | null;
}

/**
 * The lines after a place in the books: a time, a sale at that time, a line of that sale. The terms
 * come as they are stored: PostgreSQL takes five times as long to find the amounts in them.
 */
const nextLinesWith = (name: string, filter: string) =>
  statement<PlaceInBooks, StoredLine>(
    name,
    `
    with places as (
      select id, at, line, kind from (
        ${nextPlaces(['sale', 1, 'booked_at'], filter)}
        union all ${nextPlaces(['refund', 2, 'cancelled_at'], filter)}
      ) as found
      order by at, id, line limit $limit)
    select at, line, kind, id::text as "saleId", ticket, external_sale_id as "externalSaleId",
      status, booked_at as "bookedAt", terms, case when kind = 'refund' then progress end as progress
    from places join sale using (id) order by at, id, line`,
    { isSlow: true },
  );

const nextLines = nextLinesWith('next-lines-of-books', '');
const nextLinesWithTexts = nextLinesWith('next-lines-with-texts', HAS_TEXTS);

type Reader = Pick<Database, 'read' | 'query'>;

/**
 * Runs a statement with all that was stored until `asOf`; where that is absent, on the primary.
 * A batch that the standby cannot give comes from the primary, which is never behind it.
 */
const readBooks = <Values extends object, Row>(
  database: Reader,
  asked: StatementOf<Values, Row>,
  values: Values,
  asOf: Instant | undefined,
): Promise<readonly Row[]> =>
  asOf === undefined ? database.query(asked, values) : database.read(asked, values, asOf);

/** The lines of a channel's books in the order of time, a batch at a time in memory. */
export async function* bookedLines(
  database: Reader,
  { channelLink, from, to, asOf, ...query }: BookQuery,
): AsyncIterable<BookedLine> {
  const channelTexts = channelTextsJson(query.channelTexts);
  const next = channelTexts === null ? nextLines : nextLinesWithTexts;
  const readAfter = (place: Pick<PlaceInBooks, 'at' | 'saleId' | 'line'>) => {
    const values = { channelLink, to, ...place, limit: BATCH_LINES, channelTexts };
    const read = readBooks(database, next, values, asOf);
    // It is waited for later, or never, where the reader stops.
    read.catch(() => {});
    return read;
  };
  let reading = readAfter({ at: from, saleId: '0', line: 0 });
  for (;;) {
    const rows = await reading;
    const last = rows.at(-1);
    const isLast = last === undefined || rows.length < BATCH_LINES;
    // The database reads the next lines while these are written.
    if (!isLast) reading = readAfter({ at: last.at, saleId: last.saleId, line: last.line });
    for (const row of rows) yield* linesIn(row);
    if (isLast) return;
  }
}

/** Counts the lines: of sales by the index alone, of refunds with a look at their amounts. */
const countLinesWith = (name: string, filter: string) =>
  statement<
    Omit<BookQuery, 'channelTexts'> & {
      readonly limit: number;
      readonly channelTexts: string | null;
    },
    { readonly lines: number }
  >(
    name,
    `
    select count(*)::integer as lines from (
      (select 1 from sale
        where channel_link = $channelLink and booked_at >= $from and booked_at < $to ${filter})
      union all
      (select 1 from sale
        where channel_link = $channelLink and cancelled_at >= $from and cancelled_at < $to ${filter}
          and booked_at is not null
          and progress#>>'{cancellation,kept,total}' <> terms#>>'{quote,premium,total}')
      limit $limit
    ) as found`,
    { isSlow: true },
  );

const countAll = countLinesWith('count-lines-of-books', '');
const countWithTexts = countLinesWith('count-lines-with-texts', HAS_TEXTS);

/** The number of lines in a channel's books, at most `limit`. */
export const countLines = async (
  database: Reader,
  books: BookQuery,
  limit: number,
): Promise<number> => {
  const channelTexts = channelTextsJson(books.channelTexts);
  const count = channelTexts === null ? countAll : countWithTexts;
  const [row] = await readBooks(database, count, { ...books, limit, channelTexts }, books.asOf);
  return row?.lines ?? 0;
};

/** The booking of the line's kind, if the sale has one: a refund of nothing is no line. */
const linesIn = (row: StoredLine): readonly BookedLine[] => {
  const { saleId, ticket, externalSaleId, status, bookedAt, terms, progress } = row;
  const { product, plan } = terms;
  const known = {
    ...{ id: Number(saleId), ticket, status, ...channelTextsOf(terms) },
    ...{ productCode: product.code, planCode: plan.code },
  };
  const sale = externalSaleId === null ? known : { ...known, externalSaleId };
  const bookable = {
    ...progress,
    ...(bookedAt !== null && { bookedAt: moment.read(bookedAt) }),
    ...{ status, terms },
  } as Sale;
  return bookingsOf(bookable)
    .filter(({ kind }) => kind === row.kind)
    .map((booking) => ({ booking, sale, ...(progress !== null && returningOf(bookable)) }));
};

/** How the refunds of a sale stand: its state has all that they depend on. */
const returningOf = (sale: Sale): Pick<BookedLine, 'returning'> => ({
  returning: { pending: refundPending(sale), refunds: refundsOf(sale) },
});
