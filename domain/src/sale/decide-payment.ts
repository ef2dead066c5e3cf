import { type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { outstandingRefunds, undecidedReceipt } from './receipts.ts';
import type { PaidSale, RefusedSale, Sale } from './sale.ts';
import {
  type Moment,
  payBy,
  refuseSale,
  type SaleTransition,
  type UnpaidSale,
} from './sale-transitions.ts';

/** The day on which money of another amount is returned unless it was accepted before. */
export const decisionDue = (sale: Sale): CalendarDate | undefined => {
  const { chargeId } = undecidedReceipt(sale) ?? {};
  return chargeId === undefined
    ? undefined
    : outstandingRefunds(sale).find((each) => each.chargeId === chargeId)?.dueOn;
};

/**
 * Decides about money that is less than the price. `accept`: it pays the sale, as if the whole price
 * had come. `return`: the sale is refused, and the money is due back. Refused if the sale has no such
 * money.
 */
export const decidePayment = (
  sale: Sale,
  decision: 'accept' | 'return',
  { at, on }: Moment,
): SaleTransition<PaidSale | RefusedSale> | Refusal<'transition_not_possible'> => {
  const receipt = undecidedReceipt(sale);
  if (receipt?.chargeId === undefined) return refuse('transition_not_possible');
  const unpaid = sale as UnpaidSale;
  if (decision === 'return')
    return refuseSale(unpaid, { reason: 'payment_returned', closedAt: at });
  const { chargeId, method, paidOn = on } = receipt;
  return payBy(unpaid, receipt, { chargeId, ...(method && { method }), paidOn }, at);
};

/** Refuses a sale whose decision is overdue: its money is due back. Other sales stay as they are. */
export const endUndecided = (sale: Sale, now: Moment): Sale => {
  const dueOn = decisionDue(sale);
  if (dueOn === undefined || dueOn > now.on) return sale;
  return refuseSale(sale as UnpaidSale, { reason: 'payment_returned', closedAt: now.at }).state;
};
