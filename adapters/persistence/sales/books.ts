import {
  type Bookable,
  type Booking,
  bookingsOf,
  type Cents,
  type Collector,
  channelTextsOf,
  type Instant,
  instantOf,
  refundPending,
  refundsOf,
  type Sale,
  type SaleTerms,
} from '#domain';
import type { BookedLine, BookQuery } from '../../../application/sales/sales.ts';
import type { Database } from '../engine/database.ts';
import { type StatementOf, statement } from '../engine/statement.ts';
import { channelTextsIn, channelTextsJson, type StoredTexts } from '../schema/sale-row.ts';

/** Lines read at once. */
const BATCH_LINES = 200;

/**
 * Where the amounts of a line are stored, in cents: in the terms of the sale and in its progress.
 */
const AMOUNTS = {
  net: `read_once.terms#>>'{quote,premium,net}'`,
  iof: `read_once.terms#>>'{quote,premium,iof}'`,
  total: `read_once.terms#>>'{quote,premium,total}'`,
  commission: `read_once.terms#>>'{quote,commission,amount}'`,
  netAmount: `read_once.terms#>>'{quote,commission,netAmount}'`,
  keptNet: `read_once.progress#>>'{cancellation,kept,net}'`,
  keptIof: `read_once.progress#>>'{cancellation,kept,iof}'`,
  keptTotal: `read_once.progress#>>'{cancellation,kept,total}'`,
  refundCommission: `read_once.progress#>>'{cancellation,commission,reversed,amount}'`,
  refundNetAmount: `read_once.progress#>>'{cancellation,commission,reversed,netAmount}'`,
} as const;

/** The rest of a line. Times are in ms since 1970. */
const FIELDS = {
  saleId: 'id::text',
  ticket: 'ticket',
  externalSaleId: 'external_sale_id',
  product: `read_once.terms#>>'{product,code}'`,
  plan: `read_once.terms#>>'{plan,code}'`,
  status: 'status',
  collectedBy: `read_once.terms#>>'{payment,collectedBy}'`,
  bookedAt: 'extract(epoch from booked_at)::float8 * 1000',
  cancelledAt: 'extract(epoch from cancelled_at)::float8 * 1000',
  ...channelTextsIn('read_once.terms'),
} as const;

/** A line reads these alone: the whole sales of a busy month would be many times as much. */
const FIELDS_OF_LINE = [
  ...Object.entries(FIELDS).map(([name, field]) => `${field} as "${name}"`),
  ...Object.entries(AMOUNTS).map(([name, path]) => `(${path})::float8 as "${name}"`),
].join(', ');

/**
 * Reads the JSON of a sale once: without `offset 0`, PostgreSQL would read it again for each
 * amount.
 */
const JSON_READ_ONCE = `
  lateral (select terms::jsonb as terms, progress::jsonb as progress offset 0) as read_once`;

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

/** The amounts of a cancellation are null where the sale has not been cancelled. */
type StoredAmounts = { readonly [Name in keyof typeof AMOUNTS]: Cents };

type StoredFields = { readonly [Name in keyof typeof FIELDS]: string };

interface StoredLine
  extends StoredAmounts,
    StoredTexts,
    Pick<StoredFields, 'saleId' | 'ticket' | 'product' | 'plan'> {
  readonly at: Date | string;
  readonly line: number;
  readonly kind: Booking['kind'];
  readonly externalSaleId: string | null;
  /** The progress and the terms of the sale; null for the line of a sale. */
  readonly progress: object | null;
  readonly terms: SaleTerms | null;
  readonly status: Sale['status'];
  readonly collectedBy: Collector;
  readonly bookedAt: number | null;
  readonly cancelledAt: number | null;
}

/** The lines after a place in the books: a time, a sale at that time, a line of that sale. */
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
    select at, line, kind, ${FIELDS_OF_LINE},
      case when kind = 'refund' then read_once.progress end as progress,
      case when kind = 'refund' then read_once.terms end as terms
    from places join sale using (id), ${JSON_READ_ONCE} order by at, id, line`,
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
  let place = { at: from as Date | string, saleId: '0', line: 0 };
  for (;;) {
    const values = { channelLink, to, ...place, limit: BATCH_LINES, channelTexts };
    const rows = await readBooks(database, next, values, asOf);
    for (const row of rows) yield* linesIn(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_LINES) return;
    place = { at: last.at, saleId: last.saleId, line: last.line };
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
  const { saleId, ticket, externalSaleId, product, plan, status } = row;
  const known = {
    ...{ id: Number(saleId), ticket, status, ...channelTextsOf(row) },
    ...{ productCode: product, planCode: plan },
  };
  const sale = externalSaleId === null ? known : { ...known, externalSaleId };
  return bookingsOf(bookableOf(row))
    .filter(({ kind }) => kind === row.kind)
    .map((booking) => ({ booking, sale, ...returningOf(row) }));
};

/** How the refunds of a sale stand: its state has all that they depend on. */
const returningOf = (line: StoredLine): Pick<BookedLine, 'returning'> => {
  const { status, progress, terms } = line;
  if (progress === null) return {};
  const sale = { ...progress, status, terms } as Sale;
  return { returning: { pending: refundPending(sale), refunds: refundsOf(sale) } };
};

const momentOf = (milliseconds: number): Instant => instantOf(new Date(milliseconds));

const bookableOf = (row: StoredLine): Bookable => {
  const { bookedAt, cancelledAt, net, iof, total } = row;
  const sold = {
    ...(bookedAt !== null && { bookedAt: momentOf(bookedAt) }),
    terms: {
      payment: { collectedBy: row.collectedBy },
      quote: {
        premium: { net, iof, total },
        commission: { amount: row.commission, netAmount: row.netAmount },
      },
    },
  };
  if (cancelledAt === null) return sold;
  const kept = { net: row.keptNet, iof: row.keptIof, total: row.keptTotal };
  const reversed = { amount: row.refundCommission, netAmount: row.refundNetAmount };
  return {
    ...sold,
    cancelledAt: momentOf(cancelledAt),
    cancellation: { kept, commission: { reversed } },
  };
};
