import type { Collector } from '../catalogue/product.ts';
import type { Commission } from '../pricing/commission.ts';
import type { Amounts } from '../pricing/premium.ts';
import type { Instant } from '../values/calendar.ts';
import { type Cents, cents, minus, plus, ZERO } from '../values/money.ts';

/** Amounts of a booking, in cents. Negative or zero for a refund. */
export interface BookedAmounts extends Amounts {
  readonly commission: Cents;
  /** `total − commission`. */
  readonly netAmount: Cents;
}

/** A booking in a channel's books: a paid sale, or the refund at its end. It never changes. */
export interface Booking extends BookedAmounts {
  readonly kind: 'sale' | 'refund';
  readonly at: Instant;
  /**
   * Who has the money: the channel, which owes `netAmount`, or the service, which owes
   * `commission`.
   */
  readonly collectedBy: Collector;
}

type Owed = Pick<Commission, 'amount' | 'netAmount'>;

/** The parts of a sale that its bookings depend on. */
export type Bookable = {
  readonly bookedAt?: Instant;
  readonly terms: {
    readonly payment: { readonly collectedBy: Collector };
    readonly quote: { readonly premium: Amounts; readonly commission: Owed };
  };
} & (
  | {
      readonly cancelledAt: Instant;
      readonly cancellation: {
        readonly kept: Amounts;
        readonly commission: { readonly reversed: Owed };
      };
    }
  | { readonly cancelledAt?: never; readonly cancellation?: never }
);

/**
 * The bookings of a sale, in order of time. None before payment; none for a cancellation without
 * refund. A refund takes back all of the premium that is not kept: also what the payer never paid,
 * because less than the price was accepted.
 *
 * @example bookingsOf(cancelled).map(({ total }) => total) // [20252, -20252]
 */
export const bookingsOf = (sale: Bookable): readonly Booking[] => {
  if (sale.bookedAt === undefined) return [];
  const { premium, commission } = sale.terms.quote;
  const { collectedBy } = sale.terms.payment;
  const sold: Booking = {
    kind: 'sale',
    at: sale.bookedAt,
    collectedBy,
    ...booked(premium, commission),
  };
  if (sale.cancellation === undefined) return [sold];
  const { cancelledAt, cancellation } = sale;
  if (cancellation.kept.total === premium.total) return [sold];
  const { kept, commission: after } = cancellation;
  const [net, iof] = [minus(premium.net, kept.net), minus(premium.iof, kept.iof)];
  const taken = booked({ net, iof, total: plus(net, iof) }, after.reversed);
  return [sold, { kind: 'refund', at: cancelledAt, collectedBy, ...negative(taken) }];
};

const booked = ({ net, iof, total }: Amounts, { amount, netAmount }: Owed): BookedAmounts => ({
  ...{ net, iof, total, commission: amount, netAmount },
});

const negative = ({ net, iof, total, commission, netAmount }: BookedAmounts): BookedAmounts => ({
  net: minus(ZERO, net),
  iof: minus(ZERO, iof),
  total: minus(ZERO, total),
  commission: minus(ZERO, commission),
  netAmount: minus(ZERO, netAmount),
});

/** What the channel owes because of a booking: it collected the money. In cents. */
export const owedByChannel = ({ collectedBy, netAmount }: Booking): Cents =>
  collectedBy === 'channel' ? netAmount : ZERO;

/** What is owed to the channel because of a booking: the service collected the money. In cents. */
export const owedToChannel = ({ collectedBy, commission }: Booking): Cents =>
  collectedBy === 'channel' ? ZERO : commission;

type Sums = { readonly [Amount in keyof BookedAmounts]: bigint };

/** Exact sums of bookings, in cents. */
export interface BookTotals extends Sums {
  readonly lines: number;
  /** Net amounts that the channel collected. */
  readonly owedByChannel: bigint;
  /** Commissions on amounts that the service collected. */
  readonly owedToChannel: bigint;
}

export const NO_LINES: BookTotals = {
  ...{ lines: 0, net: 0n, iof: 0n, total: 0n, commission: 0n, netAmount: 0n },
  ...{ owedByChannel: 0n, owedToChannel: 0n },
};

/** Adds a booking to the totals. */
export const withLine = (totals: BookTotals, line: Booking): BookTotals => ({
  lines: totals.lines + 1,
  net: totals.net + BigInt(line.net),
  iof: totals.iof + BigInt(line.iof),
  total: totals.total + BigInt(line.total),
  commission: totals.commission + BigInt(line.commission),
  netAmount: totals.netAmount + BigInt(line.netAmount),
  owedByChannel: totals.owedByChannel + BigInt(owedByChannel(line)),
  owedToChannel: totals.owedToChannel + BigInt(owedToChannel(line)),
});

/** Sums of bookings, in cents. */
export interface BookSums extends BookedAmounts {
  readonly lines: number;
  /** Net amounts that the channel collected. */
  readonly owedByChannel: Cents;
  /** Commissions on amounts that the service collected. */
  readonly owedToChannel: Cents;
}

/**
 * Adds bookings up: a channel's month.
 *
 * @example sumBookings(bookingsOf(paid)).owedToChannel // 3772
 * @throws RangeError when a sum is not a safe integer
 */
export const sumBookings = (bookings: Iterable<Booking>): BookSums => {
  let totals = NO_LINES;
  for (const each of bookings) totals = withLine(totals, each);
  const { lines, net, iof, total, commission, netAmount, owedByChannel, owedToChannel } = totals;
  return {
    ...{ lines, net: inCents(net), iof: inCents(iof), total: inCents(total) },
    ...{ commission: inCents(commission), netAmount: inCents(netAmount) },
    ...{ owedByChannel: inCents(owedByChannel), owedToChannel: inCents(owedToChannel) },
  };
};

const inCents = (sum: bigint): Cents => cents(Number(sum));
