import type { BookedAmounts, Booking, CalendarDate, Cents, Instant } from '#domain';
import type { RebuildStep } from '../rebuild.ts';
import type { CountedOffer } from './counted-offers.ts';

/** By what bookings are summed. A day is a business day. */
export const TOTAL_KEYS = ['day', 'channel', 'product'] as const;

export type TotalKey = (typeof TOTAL_KEYS)[number];

/** Bookings of a day, a channel or a product, summed; amounts in cents, of refunds negative. */
export interface SummedBookings extends BookedAmounts {
  /** The day, the link of the channel, or the code of the product. */
  readonly key: string;
  readonly kind: Booking['kind'];
  /** How many. */
  readonly lines: number;
  /** Net amounts that channels collected. */
  readonly owedByChannel: Cents;
  /** Commissions on amounts that the service collected. */
  readonly owedToChannel: Cents;
}

/** The sum of the offers of a day, a channel or a product. The day is that of the registration. */
export interface SummedOffers {
  readonly key: string;
  readonly kind: CountedOffer['kind'];
  /** How many. */
  readonly lines: number;
  /** Their prices, in cents. */
  readonly total: Cents;
}

/** Days are inclusive. */
export interface TotalsQuery {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly by: TotalKey;
  readonly channelLink?: string | undefined;
  readonly productCode?: string | undefined;
}

export interface Totals {
  /** All that was booked before this time is counted; null: nothing has been counted yet. */
  readonly asOf: Instant | null;
  /** The first day that has anything counted, over all channels; null: no day has. */
  readonly since: CalendarDate | null;
  /** In the order of their keys. */
  readonly sums: readonly SummedBookings[];
  /** In the order of their keys: what payers were asked to pay, and of that what they have paid. */
  readonly offers: readonly SummedOffers[];
}

/**
 * Sums of the bookings of all channels: derived in the background, so that no sale is slower.
 *
 * 1. `follow` counts the bookings that were stored since the last step, each once, in whatever process.
 *    `more`: some are left.
 * 2. Sums have the bookings that are counted, by the business day of their time: the same as in the
 *    statements of the channels. Offers are counted as soon as the payer can pay.
 * 3. `empty` forgets everything; `rebuild` counts the bookings of all sales below `before`, the newest
 *    first, step by step. What is booked meanwhile is counted by `follow`.
 */
export interface BookingTotals {
  follow(limit: number): Promise<'done' | 'more'>;
  read(query: TotalsQuery): Promise<Totals>;
  empty(): Promise<void>;
  rebuild(before: number, limit: number): Promise<RebuildStep>;
}
