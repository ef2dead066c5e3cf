import type { CalendarDate, Instant } from '../values/calendar.ts';
import { passesLuhn } from '../values/luhn.ts';
import { type Cents, plus } from '../values/money.ts';
import type { CancelledSale, ExpiredSale, RefundedSale, RefusedSale, Sale } from './sale.ts';

/** A sale that was cancelled, its refund returned or not. */
export type EndedByCancellation = CancelledSale | RefundedSale;

export const isCancelled = (sale: Sale): sale is EndedByCancellation =>
  sale.status === 'cancelled' || sale.status === 'refunded';

/** What a protocol number is made from. */
export interface Cancellation {
  readonly saleId: number;
  readonly ticket: string;
  /** The day of the cancellation. */
  readonly on: CalendarDate;
}

/**
 * The number under which a cancellation is asked about, such as `20261120-17-2336172`: the day, the
 * number of the sale, six digits that depend on the secret ticket, and a check digit (Luhn) that
 * finds a digit heard wrong on the phone. Unique, because a sale is cancelled once.
 */
export const cancellationProtocol = ({ saleId, ticket, on }: Cancellation): string => {
  const day = on.replaceAll('-', '');
  const secret = String(hashOf(ticket) % 1_000_000).padStart(6, '0');
  const digits = `${day}${saleId}${secret}`;
  const check = '0123456789'.split('').find((digit) => passesLuhn(digits + digit));
  return `${day}-${saleId}-${secret}${check}`;
};

/** The protocol of a cancelled sale; undefined for any other. */
export const protocolOf = (sale: Sale): string | undefined =>
  isCancelled(sale)
    ? cancellationProtocol({ saleId: sale.id, ticket: sale.ticket, on: sale.cancellation.on })
    : undefined;

/** A sale that ended before there was a contract: refused, or not paid in time. */
export type FailedSale = RefusedSale | ExpiredSale;

export const isFailed = (sale: Sale): sale is FailedSale =>
  sale.status === 'refused' || sale.status === 'expired';

/**
 * When the insured was to be told that the sale has ended; undefined if the insured asked for it
 * before there was a contract, or a charge that the insured may have seen.
 */
export const endNoticeDue = (sale: Sale): Instant | undefined => {
  if (isFailed(sale)) return sale.closedAt;
  if (!isCancelled(sale)) return undefined;
  const isKnown = sale.cancellation.by === 'insured' && sale.payment.status === 'requested';
  return isKnown ? undefined : sale.cancelledAt;
};

/** The money of a sale that was cancelled before a payment was booked. */
export interface UnbookedMoney {
  /**
   * `not_charged`: the gateway was not asked. `not_paid`: no payment is known. `unknown`: the gateway
   * has not said whether there is a charge. `received`: a payment has arrived after all.
   */
  readonly kind: 'not_charged' | 'not_paid' | 'unknown' | 'received';
  /** What has arrived, in cents. All of it goes back. */
  readonly received: Cents;
}

/** Undefined if a payment was booked: then the figures of the cancellation tell everything. */
export const unbookedMoneyOf = (sale: EndedByCancellation): UnbookedMoney | undefined => {
  const { status } = sale.payment;
  if (status === 'approved') return undefined;
  const isSeen = sale.payment.status === 'awaited' && sale.payment.isSeen;

  const received = plus(...sale.receipts.map(({ amount }) => amount));
  if (received > 0) return { kind: 'received', received };
  if (status === 'requested') return { kind: 'not_charged', received };
  return { kind: status === 'unknown' || isSeen ? 'unknown' : 'not_paid', received };
};

/** FNV-1a, 32 bits: spreads similar tickets over all numbers. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  return hash >>> 0;
};
