import type { Sale } from '../sale/sale.ts';
import type { ChannelTexts } from '../sale/terms.ts';
import type { CalendarDate } from '../values/calendar.ts';
import type { Cents } from '../values/money.ts';
import type { BookedAmounts } from './books.ts';

/** A sale in the channel's own list. */
export interface ListedSale {
  /** Number of its line in the list, from 1. */
  readonly line: number;
  /** The channel's own id of the sale, or its ticket. */
  readonly name: string;
  /** What the payer paid, IOF included. A refund does not change it. */
  readonly total: Cents;
  /** The list may say nothing about it. */
  readonly status?: Sale['status'];
}

/** A sale as the service knows it. */
export interface KnownSale extends ChannelTexts {
  readonly id: number;
  readonly ticket: string;
  readonly externalSaleId?: string;
  /** The present status. */
  readonly status: Sale['status'];
  /** The total as sold, IOF included. */
  readonly total: Cents;
  /** Business day on which the payment was booked. Absent: it never was. */
  readonly bookedOn?: CalendarDate;
}

/**
 * Why a listed sale is not among the sales that were booked in the period. `unknown`: the channel
 * has no such sale. `not_paid`: no payment was booked. `other_period`: it was booked on another
 * day. `repeated`: another line has the same sale.
 */
export type MissingReason = 'unknown' | 'not_paid' | 'other_period' | 'repeated';

interface MissingHere {
  readonly kind: 'missing_here';
  readonly reason: MissingReason;
  readonly listed: ListedSale;
  /** Absent for an unknown sale. */
  readonly known?: KnownSale;
  /** The line that was compared, if the sale is repeated. */
  readonly firstLine?: number;
}

interface MissingThere {
  readonly kind: 'missing_there';
  readonly known: KnownSale;
}

interface Differs {
  readonly kind: 'amount_differs' | 'status_differs';
  readonly listed: ListedSale;
  readonly known: KnownSale;
}

/** A difference between the channel's list and the books. */
export type BookDifference = MissingHere | MissingThere | Differs;

export const DIFFERENCE_KINDS = [
  'missing_here',
  'missing_there',
  'amount_differs',
  'status_differs',
] as const satisfies readonly BookDifference['kind'][];

/** A number of sales, and the exact sum of their totals in cents. */
export interface CountedTotal {
  readonly count: number;
  readonly total: bigint;
}

/**
 * The sums of a comparison. For the totals, always
 * `there = here + missing_here − missing_there + amount_differs`.
 */
export interface ComparisonSums {
  /** Sales that were booked in the period: the sales of the statement. */
  readonly here: CountedTotal;
  /** Refunds that were booked in the period: those of the statement. Negative. */
  readonly refunds: CountedTotal;
  /** Lines of the list, except those of `unpaid`. */
  readonly there: CountedTotal;
  /** Lines that say of a sale that it was not paid, which it was not in the period. */
  readonly unpaid: CountedTotal;
  /** The total of `amount_differs` is what the list has more; that of `status_differs` is zero. */
  readonly differences: Readonly<Record<BookDifference['kind'], CountedTotal>>;
}

const NOTHING: CountedTotal = { count: 0, total: 0n };

const withTotal = ({ count, total }: CountedTotal, more: number): CountedTotal => ({
  count: count + 1,
  total: total + BigInt(more),
});

/** States of a sale that was never paid. A cancelled sale may have been paid. */
const UNPAID: ReadonlySet<string | undefined> = new Set([
  'pending',
  'awaiting_payment',
  'refused',
  'expired',
]);

/** The state that a sale reaches from another without anything new for the books. */
const FOLLOWS: Partial<Record<Sale['status'], Sale['status']>> = {
  paid: 'issued',
  cancelled: 'refunded',
};

/**
 * Whether a listed status agrees with that of the sale. A sale that was issued since it was paid,
 * or refunded since it was cancelled, still agrees with `paid` or `cancelled`. The reverse does
 * not agree: the channel believes in a policy, or in a refund, that does not exist yet.
 */
export const agreesWith = (listed: Sale['status'] | undefined, status: Sale['status']): boolean =>
  listed === undefined || listed === status || FOLLOWS[listed] === status;

/** Names that look the same are the same. */
const keyOf = (name: string): string => name.normalize('NFC');

/**
 * Compares a channel's list with the books. First it takes every line of the list (`addLine`),
 * then every sale that was booked in the period (`compareBooked`), at last the sales of the lines
 * that are left (`compareLeft`). It keeps the list in memory, and no sales.
 */
export class BookComparison {
  readonly #lines = new Map<string, ListedSale>();
  /** Lines whose name another line has. */
  readonly #repeated: ListedSale[] = [];
  /** The compared line of each sale, by its number. */
  readonly #lineOfSale = new Map<number, ListedSale>();
  readonly #compared = new Set<ListedSale>();
  /** Booked sales that have no line, though a line of another sale has their name. */
  readonly #countedWithoutLine = new Set<number>();
  #here = NOTHING;
  #refunds = NOTHING;
  #there = NOTHING;
  #unpaid = NOTHING;
  readonly #differences: Record<BookDifference['kind'], CountedTotal> = {
    missing_here: NOTHING,
    missing_there: NOTHING,
    amount_differs: NOTHING,
    status_differs: NOTHING,
  };

  get sums(): ComparisonSums {
    return {
      here: this.#here,
      refunds: this.#refunds,
      there: this.#there,
      unpaid: this.#unpaid,
      differences: { ...this.#differences },
    };
  }

  addLine(listed: ListedSale): void {
    const key = keyOf(listed.name);
    if (this.#lines.has(key)) this.#repeated.push(listed);
    else this.#lines.set(key, listed);
  }

  /** Adds a refund of the period to the sums. The list has none. */
  addRefund({ total }: Pick<BookedAmounts, 'total'>): void {
    this.#refunds = withTotal(this.#refunds, total);
  }

  /** Compares a sale that was booked in the period. Each sale may come once. */
  compareBooked(known: KnownSale): readonly BookDifference[] {
    this.#here = withTotal(this.#here, known.total);
    const named = this.#linesNamed(known);
    const listed = named.find((each) => this.isLeft(each));
    if (listed === undefined) {
      // A line that is left may name the sale again, under its other name.
      if (named.length > 0) this.#countedWithoutLine.add(known.id);
      return this.#note({ kind: 'missing_there', known }, known.total);
    }

    this.#compared.add(listed);
    this.#lineOfSale.set(known.id, listed);
    this.#there = withTotal(this.#there, listed.total);
    const excess = listed.total - known.total;
    return [
      ...(excess === 0 ? [] : this.#note({ kind: 'amount_differs', listed, known }, excess)),
      ...(agreesWith(listed.status, known.status) ? [] : this.#noteStatus(listed, known)),
    ];
  }

  /** The lines without a booked sale, in the order of the list, those repeated at the end. */
  *linesLeft(): Iterable<ListedSale> {
    for (const listed of this.#lines.values()) if (this.isLeft(listed)) yield listed;
    yield* this.#repeated;
  }

  /** Whether a line has not been compared with a booked sale. */
  isLeft(listed: ListedSale): boolean {
    return !this.#compared.has(listed);
  }

  /** Whether a sale of the period has been counted, as far as a line that is left may name it. */
  isCompared({ id }: Pick<KnownSale, 'id'>): boolean {
    return this.#lineOfSale.has(id) || this.#countedWithoutLine.has(id);
  }

  /** Compares a line without a booked sale with the sale of its name, if the channel has one. */
  compareLeft(listed: ListedSale, known: KnownSale | undefined): readonly BookDifference[] {
    const first = this.#otherLine(listed, known);
    if (known !== undefined && first === undefined) this.#lineOfSale.set(known.id, listed);
    if (first !== undefined)
      return this.#noteMissing({
        listed,
        reason: 'repeated',
        firstLine: first.line,
        ...(known && { known }),
      });
    if (known === undefined) return this.#noteMissing({ listed, reason: 'unknown' });

    const { status } = listed;
    const wasBooked = known.bookedOn !== undefined;
    if (UNPAID.has(status) || (status === 'cancelled' && !wasBooked)) {
      this.#unpaid = withTotal(this.#unpaid, listed.total);
      return agreesWith(status, known.status) ? [] : this.#noteStatus(listed, known);
    }
    return this.#noteMissing({ listed, known, reason: wasBooked ? 'other_period' : 'not_paid' });
  }

  /** The lines with one of a sale's names; they may belong to another sale with that name. */
  #linesNamed({ externalSaleId, ticket }: KnownSale): readonly ListedSale[] {
    const names = externalSaleId === undefined ? [ticket] : [keyOf(externalSaleId), ticket];
    return names.flatMap((name) => this.#lines.get(name) ?? []);
  }

  /** Another line for the same sale: one of the same name, or of the sale's other name. */
  #otherLine(listed: ListedSale, known: KnownSale | undefined): ListedSale | undefined {
    const first = this.#lines.get(keyOf(listed.name));
    return first === listed ? known && this.#lineOfSale.get(known.id) : first;
  }

  #noteMissing(missing: Omit<MissingHere, 'kind'>): readonly BookDifference[] {
    this.#there = withTotal(this.#there, missing.listed.total);
    return this.#note({ kind: 'missing_here', ...missing }, missing.listed.total);
  }

  #noteStatus(listed: ListedSale, known: KnownSale): readonly BookDifference[] {
    return this.#note({ kind: 'status_differs', listed, known }, 0);
  }

  #note(difference: BookDifference, total: number): readonly BookDifference[] {
    const { kind } = difference;
    this.#differences[kind] = withTotal(this.#differences[kind], total);
    return [difference];
  }
}
