import { type Refusal, refuse } from '../refusals/refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { type Cents, plus, ZERO } from '../values/money.ts';
import { followMoney } from './cancel-sale.ts';
import type { Receipt } from './payment.ts';
import {
  goneBack,
  lastDayOfDecision,
  outstandingRefunds,
  receiptOf,
  undecidedReceipt,
  unorderedOf,
  withReceipt,
} from './receipts.ts';
import type { PaidSale, RefusedSale, Sale } from './sale.ts';
import {
  isUnpaid,
  type Moment,
  payBy,
  refuseSale,
  type SaleTransition,
  type UnpaidSale,
} from './sale-transitions.ts';

/** The last day on which money that is less than the price may be accepted; then it is returned. */
export const decisionDue = (sale: Sale): CalendarDate | undefined => {
  const receipt = undecidedReceipt(sale);
  return receipt && lastDayOfDecision(sale, receipt);
};

/**
 * Decides about money that is less than the price. `accept`: it pays the sale, as if the whole price
 * had come. `return`: the sale is refused, and the money is due back. Refused if the sale has no such
 * money, or what is to be accepted is disputed or on its way back.
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
  const { chargeId, method, paidOn = on, ordered = ZERO } = receipt;
  if (ordered > 0 || goneBack(receipt) > 0 || receipt.dispute?.status === 'opened')
    return refuse('transition_not_possible');
  return payBy(unpaid, receipt, { chargeId, ...(method && { method }), paidOn }, at);
};

/**
 * Notes money that a person has returned because the gateway cannot: cash, or a part of what it
 * returns only as a whole. Refused if no such refund of this amount, in cents, is due beside what the
 * gateway was asked for, or the sale is not paid: then it is to be decided about.
 */
export const noteReturnByHand = (
  sale: Sale,
  amount: Cents,
  { at: returnedAt }: Moment,
): SaleTransition | Refusal<'transition_not_possible'> => {
  for (const refund of isUnpaid(sale) ? [] : outstandingRefunds(sale)) {
    const { chargeId, isOrdered, barred } = refund;
    if (chargeId === undefined || isOrdered || barred === 'dispute') continue;
    const receipt = receiptOf(sale, chargeId) as Receipt;
    const { inCash, returnsWholeOnly, returnedByHand = ZERO } = receipt;
    if (!(inCash || returnsWholeOnly) || amount > unorderedOf(receipt, refund)) continue;
    const noted = { ...receipt, returnedByHand: plus(returnedByHand, amount), returnedAt };
    return followMoney(
      sale,
      { ...sale, receipts: withReceipt(sale, noted) },
      { kind: 'money_returned', chargeId, amount },
    );
  }
  return refuse('transition_not_possible');
};

/** Refuses a sale whose decision is overdue: its money is due back. Other sales stay as they are. */
export const endUndecided = (sale: Sale, now: Moment): Sale => {
  const dueOn = decisionDue(sale);
  if (dueOn === undefined || dueOn >= now.on) return sale;
  return refuseSale(sale as UnpaidSale, { reason: 'payment_returned', closedAt: now.at }).state;
};
