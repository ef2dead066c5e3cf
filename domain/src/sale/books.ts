import type { Collector } from '../catalogue/product.ts';
import { type Cents, minus, ZERO } from '../money/money.ts';
import type { Commission } from '../pricing/commission.ts';
import type { Amounts } from '../pricing/premium.ts';
import type { Instant } from '../values/calendar.ts';

/** What a line of the books is about, in cents. A refund takes away: its amounts are negative, or zero. */
export interface BookedAmounts extends Amounts {
  readonly commission: Cents;
  /** `total − commission`. */
  readonly netAmount: Cents;
}

/** A line in a channel's books: a sale that was paid, or what its end gave back. Once written, it never changes. */
export interface Booking extends BookedAmounts {
  readonly kind: 'sale' | 'refund';
  readonly at: Instant;
  /** Who has the money: the channel, which owes the net amount, or the service, which owes the commission. */
  readonly collectedBy: Collector;
}

type Owed = Pick<Commission, 'amount' | 'netAmount'>;

/** What of a sale concerns the books. */
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
        readonly refund: Amounts;
        readonly commission: { readonly reversed: Owed };
      };
    }
  | { readonly cancelledAt?: never; readonly cancellation?: never }
);

/** The lines of a sale, the earlier first; none as long as it has not been paid. A cancellation that gives nothing back has none. */
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
  if (sale.cancellation === undefined || sale.cancellation.refund.total === 0) return [sold];
  const { cancelledAt, cancellation } = sale;
  const taken = booked(cancellation.refund, cancellation.commission.reversed);
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

type Sums = { readonly [Amount in keyof BookedAmounts]: bigint };

/** The sums of lines, in cents: exact, however many lines there are. */
export interface BookTotals extends Sums {
  readonly lines: number;
  /** Net amounts of what the channel collected. */
  readonly owedByChannel: bigint;
  /** Commissions on what the service collected. */
  readonly owedToChannel: bigint;
}

export const NO_LINES: BookTotals = {
  ...{ lines: 0, net: 0n, iof: 0n, total: 0n, commission: 0n, netAmount: 0n },
  ...{ owedByChannel: 0n, owedToChannel: 0n },
};

/** The totals with one line more. */
export const withLine = (totals: BookTotals, line: Booking): BookTotals => {
  const isChannels = line.collectedBy === 'channel';
  return {
    lines: totals.lines + 1,
    net: totals.net + BigInt(line.net),
    iof: totals.iof + BigInt(line.iof),
    total: totals.total + BigInt(line.total),
    commission: totals.commission + BigInt(line.commission),
    netAmount: totals.netAmount + BigInt(line.netAmount),
    owedByChannel: totals.owedByChannel + (isChannels ? BigInt(line.netAmount) : 0n),
    owedToChannel: totals.owedToChannel + (isChannels ? 0n : BigInt(line.commission)),
  };
};
