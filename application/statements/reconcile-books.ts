import {
  BookComparison,
  type BookDifference,
  type CalendarDate,
  type ComparisonSums,
  type Instant,
  type KnownSale,
  type ListedSale,
} from '#domain';
import type { Clock } from '../clock.ts';
import type { NamedSale, Sales } from '../sales/sales.ts';
import type { ChannelStatement, StatementLine } from './channel-statement.ts';

interface Needs {
  readonly sales: Sales;
  readonly clock: Clock;
  readonly channelStatement: ChannelStatement;
}

/** First day, and the first day after the period. */
interface BookPeriod {
  readonly from: CalendarDate;
  readonly until: CalendarDate;
}

export interface Reconciliation {
  /** First the differences of the books in order of time, then those of the list. Read them once. */
  readonly differences: AsyncIterable<BookDifference>;
  /** The sums, once all differences have been read. */
  readonly sums: () => ComparisonSums;
  /** Whether the statement of the period is final. */
  readonly isFinal: boolean;
  /** What was stored later may be missing; undefined: nothing is missing. */
  readonly asOf: Instant | undefined;
}

/**
 * Compares a channel's own list with its statement of a period. It keeps the list in memory, and
 * of the statement a few lines at a time. Undefined: unknown channel.
 */
export type ReconcileBooks = (
  channelLink: string,
  period: BookPeriod,
  list: readonly ListedSale[],
) => Promise<Reconciliation | undefined>;

/** Names that are looked up together. */
const LOOKUP_NAMES = 500;

export const makeReconcileBooks = ({ channelStatement, sales, clock }: Needs): ReconcileBooks => {
  /** The channel's sales of these names. The own id of one sale may be the ticket of another. */
  const findByName = async (
    channelLink: string,
    listed: readonly ListedSale[],
  ): Promise<ReadonlyMap<string, KnownSale>> => {
    const names = [...new Set(listed.map(({ name }) => name))];
    const found = (await sales.findNamed(channelLink, names)).map((each) => knownFrom(each, clock));
    return new Map([
      ...found.map((known) => [known.ticket, known] as const),
      ...found.flatMap((known) =>
        known.externalSaleId === undefined ? [] : [[known.externalSaleId, known] as const],
      ),
    ]);
  };

  return async function reconcileBooks(channelLink, period, list) {
    const statement = await channelStatement(channelLink, period);
    if (statement === undefined) return undefined;
    const comparison = new BookComparison();
    for (const listed of list) comparison.addLine(listed);

    return {
      differences: compare(comparison, period, statement.lines, (listed) =>
        findByName(channelLink, listed),
      ),
      sums: () => comparison.sums,
      isFinal: statement.isFinal,
      asOf: statement.asOf,
    };
  };
};

async function* compare(
  comparison: BookComparison,
  period: BookPeriod,
  lines: AsyncIterable<StatementLine>,
  findByName: (listed: readonly ListedSale[]) => Promise<ReadonlyMap<string, KnownSale>>,
): AsyncIterable<BookDifference> {
  for await (const line of lines)
    if (line.booking.kind === 'sale') yield* comparison.compareBooked(knownFromLine(line));
    else comparison.addRefund(line.booking);

  for (const batch of inBatches(comparison.linesLeft(), LOOKUP_NAMES)) {
    const found = await findByName(batch);
    for (const listed of batch)
      yield* compareLeft(comparison, period, listed, found.get(listed.name.normalize('NFC')));
  }
}

/** A sale that was booked since the statement was read is compared as the statement's sales are. */
function* compareLeft(
  comparison: BookComparison,
  { from, until }: BookPeriod,
  listed: ListedSale,
  known: KnownSale | undefined,
): Iterable<BookDifference> {
  const bookedOn = known?.bookedOn ?? '';
  if (known && bookedOn >= from && bookedOn < until && !comparison.isCompared(known))
    yield* comparison.compareBooked(known);
  if (comparison.isLeft(listed)) yield* comparison.compareLeft(listed, known);
}

const knownFromLine = ({ booking, on, sale }: StatementLine): KnownSale => {
  const { productCode, planCode, ...named } = sale;
  return { ...named, total: booking.total, bookedOn: on };
};

const knownFrom = ({ bookedAt, ...named }: NamedSale, clock: Clock): KnownSale =>
  bookedAt === undefined ? named : { ...named, bookedOn: clock.dayOf(bookedAt) };

/** All lines are read before the first batch is used, because using it changes which are left. */
const inBatches = <Item>(items: Iterable<Item>, size: number): readonly (readonly Item[])[] => {
  const all = [...items];
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
};
