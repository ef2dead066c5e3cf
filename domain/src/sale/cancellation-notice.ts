import type { CalendarDate, Instant } from '../values/calendar.ts';
import { passesLuhn } from '../values/luhn.ts';
import type { CancelledSale, RefundedSale, Sale } from './sale.ts';

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

/**
 * When the insured was to be told of the cancellation; undefined if there was nothing to cancel: no
 * contract, and no charge that the insured may have seen.
 */
export const cancellationNoticeDue = (sale: Sale): Instant | undefined =>
  isCancelled(sale) && sale.payment.status !== 'requested' ? sale.cancelledAt : undefined;

/** FNV-1a, 32 bits: spreads similar tickets over all numbers. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193);
  return hash >>> 0;
};
