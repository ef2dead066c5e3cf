import { type Refusal, refuse } from '../refusals/refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { type Cents, min, plus, ZERO } from '../values/money.ts';
import { attemptAt } from './attempts.ts';
import { chargeBack, followMoney } from './cancel-sale.ts';
import {
  lastDayOfDecision,
  type OutstandingRefund,
  outstandingRefunds,
  unorderedOf,
} from './outstanding-refunds.ts';
import type { Receipt } from './payment.ts';
import {
  isFree,
  isInForce,
  isPaidBy,
  isShort,
  isUnconfirmed,
  moneyLeft,
  receiptOf,
  undecidedReceipts,
  withReceipt,
} from './receipts.ts';
import { type AwaitingPaymentSale, isUnpaid, type Sale, type UnpaidSale } from './sale.ts';
import { type Moment, payBy, refuseSale, type SaleTransition, step } from './sale-transitions.ts';
import { moved } from './transition.ts';

type Decided = SaleTransition | Refusal<'transition_not_possible'>;

const NOT_POSSIBLE = refuse('transition_not_possible');

/** The last day on which money that is less than the price may be accepted; then it is returned. */
export const decisionDue = (sale: Sale): CalendarDate | undefined =>
  undecidedReceipts(sale).length > 0 ? lastDayOfDecision(sale) : undefined;

/**
 * Decides about money that only a person can decide about, in this order:
 *
 * 1. Money that the gateway does not show any more. `accept`: it is there by another way. `return`: it
 *    is not, and the sale ends; it is due back only if the gateway shows it again.
 * 2. A sale in force that has lost a part of its price. `accept`: the rest is enough. `return`:
 *    the sale ends, and the rest is due back.
 * 3. Less than the price for a sale that is not paid. `accept`: it pays the sale, as if the whole price
 *    had come. `return`: the sale is refused, and the money is due back. The same for a charge that
 *    asks for another amount and stays open: the payer may pay it, or the sale is refused.
 *
 * Refused if the sale has no such money, or what is to be accepted is disputed or on its way back.
 */
export const decidePayment = (sale: Sale, decision: 'accept' | 'return', now: Moment): Decided => {
  const missing = sale.receipts.filter(isUnconfirmed);
  if (missing.length > 0) return decideMissing(sale, missing, decision, now);
  if (isShort(sale)) {
    if (decision === 'return') return step(sale, chargeBack(sale, now, 'payment_lost'));
    const payment = { ...sale.payment, accepted: moneyLeft(sale) as Cents };
    return followMoney(sale, { ...sale, payment }, { kind: 'payment_accepted' });
  }
  return decideUnpaid(sale, decision, now);
};

const decideMissing = (
  sale: Sale,
  missing: readonly Receipt[],
  decision: 'accept' | 'return',
  now: Moment,
): Decided => {
  const event = { kind: 'payment_accepted' } as const;
  if (decision === 'accept') {
    const receipts = sale.receipts.map((each) =>
      isUnconfirmed(each)
        ? { ...each, unconfirmed: { ...each.unconfirmed, isAccepted: true as const } }
        : each,
    );
    return followMoney(sale, { ...sale, receipts }, event);
  }
  const there = sale.receipts.filter((each) => !isUnconfirmed(each));
  const isOwnGone = missing.some(({ chargeId }) => isPaidBy(sale, chargeId));
  if (isInForce(sale) && isOwnGone)
    return step(sale, chargeBack(sale, now, 'payment_lost', there), event);
  const after: Sale = { ...sale, receipts: there };
  return isUnpaid(after)
    ? refuseSale(after, { reason: 'payment_returned', closedAt: now.at })
    : followMoney(sale, after, event);
};

/** A charge that asks for another amount. `accept`: the payer may pay it. */
const decideOpen = (
  sale: AwaitingPaymentSale,
  decision: 'accept' | 'return',
  now: Moment,
): Decided => {
  if (decision === 'return') return refuseSale(sale, { reason: 'not_charged', closedAt: now.at });
  const payment = { ...sale.payment, mayAsk: true as const };
  return moved({ ...sale, payment }, { kind: 'payment_accepted' });
};

const decideUnpaid = (sale: Sale, decision: 'accept' | 'return', { at, on }: Moment): Decided => {
  if (sale.status === 'awaiting_payment' && sale.payment.asks !== undefined && !sale.payment.mayAsk)
    return decideOpen(sale, decision, { at, on });
  const undecided = undecidedReceipts(sale);
  const [first, ...others] = undecided;
  if (first?.chargeId === undefined) return NOT_POSSIBLE;
  const unpaid = sale as UnpaidSale;
  if (decision === 'return')
    return refuseSale(unpaid, { reason: 'payment_returned', closedAt: at });
  if (!undecided.every(isFree)) return NOT_POSSIBLE;
  const { chargeId, method, paidOn = on } = first;
  const alsoBy = others.map((each) => each.chargeId as string);
  const accepted = min(plus(...undecided.map(({ amount }) => amount)), unpaid.payment.amount);
  const how = { chargeId, ...(method && { method }), paidOn, alsoBy, accepted };
  return payBy(unpaid, first, how, at);
};

/**
 * Notes money that a person has returned in another way than by the gateway: cash, a part of what the
 * gateway returns only as a whole, or what the gateway refuses to return. It ends the orders of it.
 * Refused if no such refund of this amount, in cents, is due beside what the gateway was asked for, if
 * the answer to an order is not known, or the sale is not paid: then it is to be decided about.
 */
export const noteReturnByHand = (
  sale: Sale,
  amount: Cents,
  { at: returnedAt }: Moment,
): Decided => {
  const refunds = isUnpaid(sale) ? [] : outstandingRefunds(sale);
  const isStuck = ({ barred, refused }: OutstandingRefund) => Boolean(barred ?? refused);
  // First those that only a person can make.
  for (const refund of [...refunds].sort((one, other) => +isStuck(other) - +isStuck(one))) {
    const { chargeId, isOrdered, barred } = refund;
    if (chargeId === undefined || isOrdered || barred === 'dispute') continue;
    if (attemptAt(sale, `refund ${chargeId}`) !== undefined) continue;
    const receipt = receiptOf(sale, chargeId) as Receipt;
    if (amount > unorderedOf(receipt, refund)) continue;
    const { refused: _, returnedByHand = ZERO, ...others } = receipt;
    const noted = { ...others, returnedByHand: plus(returnedByHand, amount), returnedAt };
    return followMoney(
      sale,
      { ...sale, receipts: withReceipt(sale, noted) },
      { kind: 'money_returned', chargeId, amount },
    );
  }
  return NOT_POSSIBLE;
};

/** Refuses a sale whose decision is overdue: its money is due back. Other sales stay as they are. */
export const endUndecided = (sale: Sale, now: Moment): Sale => {
  const dueOn = decisionDue(sale);
  if (dueOn === undefined || dueOn >= now.on) return sale;
  return refuseSale(sale as UnpaidSale, { reason: 'payment_returned', closedAt: now.at }).state;
};
