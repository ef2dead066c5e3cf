import { minus, ZERO } from '../money/money.ts';
import { type Refusal, refuse, type TransitionRefusal } from '../refusal.ts';
import { chargeBack, settled } from './cancel-sale.ts';
import type { Payment, PaymentReport, ReceivedReport, RefundBar, ReturnReport } from './payment.ts';
import { isPaidTooLate } from './price-end.ts';
import { isPaidBy, receiptOf, receivedBy, withReceipt } from './receipts.ts';
import type { CancelledSale, PendingSale, RefundedSale, Sale } from './sale.ts';
import {
  awaitPayment,
  become,
  expire,
  isUnpaid,
  type Moment,
  type MoneyReturned,
  pay,
  refuseSale,
  type SaleTransition,
  step,
  type UnpaidSale,
} from './sale-transitions.ts';
import { type Ignored, moved } from './transition.ts';

type Outcome = SaleTransition | Refusal<TransitionRefusal | 'paid_in_future'>;

/**
 * From early to late: a later status replaces an earlier one, and a confirmed payment replaces all.
 */
const ORDER: readonly Payment['status'][] = [
  'requested',
  'unknown',
  'awaited',
  'expired',
  'declined',
  'approved',
];

const ignored = (sale: Sale, because: Ignored['because']): Outcome =>
  moved(sale, { kind: 'ignored', because });

/**
 * Applies a gateway's report on one charge to a sale in any state. Reports may come in any order
 * and repeatedly; old news changes nothing.
 *
 * Money is recorded per charge. A second payment, one for an ended sale, or one after the last day of
 * the price is due back. A payment returned completely without a cancellation (chargeback) ends the
 * sale.
 *
 * Refused if the amount differs, more is returned than was received, the payment day is in the
 * future, or a return names no charge (only the channel's own payment has none).
 */
export const followSalePayment = (sale: Sale, report: PaymentReport, now: Moment): Outcome => {
  if (report.amount !== sale.payment.amount)
    return refuse('payment_amount_differs', sale.payment.amount);
  if (report.status === 'approved') return ofMoneyIn(sale, report, now);
  if (report.status === 'returned') return ofMoneyBack(sale, report, now);
  return ofNoMoney(sale, report, now);
};

const ofMoneyIn = (sale: Sale, report: ReceivedReport, now: Moment): Outcome => {
  const { chargeId, amount, paidOn, barred } = report;
  if (paidOn > now.on) return refuse('paid_in_future');
  const known = receiptOf(sale, chargeId);
  if (isUnpaid(sale) && known === undefined && isPaidTooLate(sale, paidOn, now))
    return ofLateMoney(sale, report, now);
  if (isUnpaid(sale) && known?.returned !== amount) return pay(sale, report, now.at);
  const receipts = withReceipt(sale, receivedBy(sale, report));
  if (known === undefined)
    return become(sale, { ...sale, receipts }, { kind: 'money_received', chargeId, amount });
  if (!isSameBar(known.barred, barred))
    return become(sale, { ...sale, receipts }, { kind: 'refund_moved', chargeId });
  return ignored(sale, known.returned > 0 ? 'late' : 'repeated');
};

const isSameBar = (one: RefundBar | undefined, other: RefundBar | undefined): boolean =>
  one?.by === other?.by && one?.respondBy === other?.respondBy;

/** The price was over: the sale expires, and the money is due back. */
const ofLateMoney = (sale: UnpaidSale, report: ReceivedReport, now: Moment): Outcome => {
  const { chargeId, amount } = report;
  const receipts = withReceipt(sale, receivedBy(sale, report));
  const { state } = expire(sale, { closedAt: now.at });
  return step(sale, { ...state, receipts }, { kind: 'money_received', chargeId, amount });
};

const ofMoneyBack = (sale: Sale, report: ReturnReport, now: Moment): Outcome => {
  const { chargeId, amount, returned, ordered = returned } = report;
  if (ordered > amount || returned > ordered) return refuse('refund_amount_differs', amount);
  const known = receiptOf(sale, chargeId);
  if (known === undefined && chargeId === undefined) return refuse('charge_not_named');
  const { ordered: orderedBefore, ...rest } = known ?? { returned: ZERO };
  const before = rest.returned;
  // Earlier versions counted as returned what is on its way.
  if (returned < before) return ignored(sale, ordered < before ? 'late' : 'repeated');
  const named = chargeId === undefined ? {} : { chargeId };
  const onItsWay = ordered > returned ? { ordered } : {};
  const receipts = withReceipt(sale, { ...rest, ...named, amount, returned, ...onItsWay });
  if (returned === before)
    return ordered === (orderedBefore ?? before)
      ? ignored(sale, 'repeated')
      : become(sale, { ...sale, receipts }, { kind: 'refund_moved', ...named });
  const event: MoneyReturned = {
    kind: 'money_returned',
    ...named,
    amount: minus(returned, before),
  };
  return afterReturn(sale, { ...sale, receipts }, event, returned === amount, now);
};

/** The sale after money was returned, partly or completely. */
const afterReturn = (
  before: Sale,
  sale: Sale,
  event: MoneyReturned,
  isAllBack: boolean,
  now: Moment,
): Outcome => {
  const { chargeId } = event;
  if (isUnpaid(sale)) {
    const isOwn = chargeId === (sale.payment.chargeId ?? chargeId);
    if (!isAllBack || !isOwn) return become(before, sale, event);
    return step(
      before,
      refuseSale(sale, { reason: 'payment_returned', closedAt: now.at }).state,
      event,
    );
  }
  if (sale.status === 'cancelled') return ofCancelledSale(before, settled(sale), event);
  const isUnderWay = sale.status === 'paid' || sale.status === 'issued';
  return isUnderWay && isAllBack && isPaidBy(sale, chargeId)
    ? step(before, chargeBack(sale, now), event)
    : become(before, sale, event);
};

const ofCancelledSale = (
  before: Sale,
  sale: CancelledSale | RefundedSale,
  event: MoneyReturned,
): Outcome =>
  sale.status === 'refunded' ? step(before, sale, event) : become(before, sale, event);

type MoneylessReport = Exclude<PaymentReport, ReceivedReport | ReturnReport>;

const ofNoMoney = (sale: Sale, report: MoneylessReport, now: Moment): Outcome => {
  const { status, chargeId = report.chargeId } = sale.payment;
  if (chargeId !== (report.chargeId ?? chargeId)) return ignored(sale, 'other_charge');
  const isNamedNow = sale.payment.chargeId === undefined && chargeId !== undefined;
  if (status === report.status && !isNamedNow) return ignored(sale, 'repeated');
  const hasMoney = receiptOf(sale, chargeId) !== undefined;
  if (hasMoney || ORDER.indexOf(report.status) < ORDER.indexOf(status))
    return ignored(sale, 'late');
  const payment = { ...(chargeId !== undefined && { chargeId }), ...report };
  return isUnpaid(sale)
    ? ofUnpaidSale(sale, payment, now)
    : moved({ ...sale, payment } as Sale, { kind: 'payment_moved', to: payment.status });
};

const ofUnpaidSale = (
  sale: UnpaidSale,
  payment: MoneylessReport,
  { at: closedAt }: Moment,
): Outcome => {
  if (payment.status === 'expired') return expire(sale, { closedAt, payment });
  if (payment.status === 'declined')
    return refuseSale(sale, { reason: payment.reason, closedAt, payment });
  // The only other reports concern a pending sale: an awaiting one ignores them as late.
  const pending = sale as PendingSale;
  if (payment.status === 'awaited') return awaitPayment(pending, payment);
  return moved({ ...pending, payment }, { kind: 'payment_moved', to: payment.status });
};
