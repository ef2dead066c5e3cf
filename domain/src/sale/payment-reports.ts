import { refuse } from '../refusals/refusal.ts';
import { followMoney } from './cancel-sale.ts';
import type {
  Payment,
  PaymentReport,
  Receipt,
  ReceivedReport,
  ReturnReport,
  UndoneReport,
} from './payment.ts';
import { isPaidTooLate } from './price-end.ts';
import { isChargeOpen, receiptOf, receivedBy, withReceipt } from './receipts.ts';
import { ofMoneyBack, ofRefundUndone } from './returned-money.ts';
import type { PendingSale, Sale } from './sale.ts';
import {
  awaitPayment,
  become,
  expireSale,
  ignored,
  isUnpaid,
  type Moment,
  type Outcome,
  paySale,
  refuseSale,
  step,
  type UnpaidSale,
} from './sale-transitions.ts';
import { moved } from './transition.ts';

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

/**
 * Applies a gateway's report on one charge to a sale in any state. Reports may come in any order
 * and repeatedly; old news changes nothing. `undone` reports are the exception: give only what the
 * gateway shows now.
 *
 * Money is recorded per charge. At least the price pays the sale, and more is due back. Less than
 * the price does not pay it. A second payment, one for an ended sale, or one after the last day of
 * the price is due back. A payment returned completely without a cancellation (chargeback) ends the
 * sale.
 *
 * Refused if a charge asks for another amount, more is returned than was received, the payment day
 * is in the future, or a return names no charge (only the channel's own payment has none).
 *
 * @example applyPaymentReport(awaiting, approved, now).state.status // 'paid'
 */
export const applyPaymentReport = (sale: Sale, report: PaymentReport, now: Moment): Outcome => {
  if (report.status === 'approved') return ofMoneyIn(sale, report, now);
  if (report.status === 'returned') return ofMoneyBack(sale, report, now);
  if (report.status === 'undone') return ofRefundUndone(sale, report, now);
  const { chargeId } = report;
  const isUnpaidThere = report.status === 'awaited' || report.status === 'expired';
  if (isUnpaidThere && chargeId !== undefined && receiptOf(sale, chargeId)?.inCash)
    return ofCashUndone(sale, chargeId);
  if (report.amount !== sale.payment.amount)
    return refuse('payment_amount_differs', sale.payment.amount);
  return ofNoMoney(sale, report, now);
};

const ofMoneyIn = (sale: Sale, report: ReceivedReport, now: Moment): Outcome => {
  const { chargeId, amount, paidOn } = report;
  if (paidOn > now.on) return refuse('paid_in_future');
  const known = receiptOf(sale, chargeId);
  const receipt = receivedBy(sale, report, now.at, now.on);
  const receipts = withReceipt(sale, receipt);
  if (isUnpaid(sale)) {
    if (known === undefined && isPaidTooLate(sale, paidOn, now))
      return ofLateMoney(sale, receipts, report, now);
    if (amount >= sale.payment.amount && known?.returned !== amount)
      return paySale(sale, report, now.at, now.on);
  }
  if (known?.amount !== amount)
    return followMoney(
      sale,
      { ...withChargeNamed(sale, chargeId), receipts },
      { kind: 'money_received', chargeId, amount },
    );
  if (!isSameMoney(known, receipt))
    return become(sale, { ...sale, receipts }, { kind: 'refund_moved', chargeId });
  return ignored(sale, known.returned > 0 ? 'late' : 'repeated');
};

/** A sale whose charge was not known: the money that came shows it. */
const withChargeNamed = (sale: Sale, chargeId: string): Sale => {
  const { payment, status } = sale;
  if (status !== 'pending' || payment.chargeId !== undefined) return sale;
  return { ...sale, payment: { status: 'unknown', amount: payment.amount, chargeId } };
};

const isSameMoney = (one: Receipt, other: Receipt): boolean =>
  one.dispute?.status === other.dispute?.status &&
  one.dispute?.respondBy === other.dispute?.respondBy &&
  one.dispute?.amount === other.dispute?.amount &&
  one.inCash === other.inCash &&
  one.returnsWholeOnly === other.returnsWholeOnly;

/** The price was over: the sale expires, and the money is due back. */
const ofLateMoney = (
  sale: UnpaidSale,
  receipts: Sale['receipts'],
  { chargeId, amount }: ReceivedReport,
  now: Moment,
): Outcome => {
  const { state } = expireSale(sale, { closedAt: now.at });
  return step(sale, { ...state, receipts }, { kind: 'money_received', chargeId, amount });
};

/** Cash that was noted by hand is noted no more: it has gone back, or was never there. */
const ofCashUndone = (sale: Sale, chargeId: string): Outcome => {
  const receipts = sale.receipts.filter((each) => each.chargeId !== chargeId);
  const after: Sale = { ...sale, receipts };
  return followMoney(sale, after, { kind: 'receipt_undone', chargeId });
};

type MoneylessReport = Exclude<PaymentReport, ReceivedReport | ReturnReport | UndoneReport>;

const ofNoMoney = (sale: Sale, report: MoneylessReport, now: Moment): Outcome => {
  const { status, chargeId = report.chargeId } = sale.payment;
  if (chargeId !== (report.chargeId ?? chargeId)) return ignored(sale, 'other_charge');
  const isNamedNow = sale.payment.chargeId === undefined && chargeId !== undefined;
  const receipt = receiptOf(sale, report.chargeId);
  if (status === report.status && !isNamedNow) return ignored(sale, 'repeated');
  if (status === 'approved' && report.status === 'expired' && isChargeOpen(sale))
    return moved({ ...sale, payment: { ...sale.payment, isClosed: true } } as Sale, {
      kind: 'payment_moved',
      to: report.status,
    });
  if (receipt !== undefined || ORDER.indexOf(report.status) < ORDER.indexOf(status))
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
  if (payment.status === 'expired') return expireSale(sale, { closedAt, payment });
  if (payment.status === 'declined')
    return refuseSale(sale, { reason: payment.reason, closedAt, payment });
  // The only other reports concern a pending sale: an awaiting one ignores them as late.
  const pending = sale as PendingSale;
  if (payment.status === 'awaited') return awaitPayment(pending, payment);
  return moved({ ...pending, payment }, { kind: 'payment_moved', to: payment.status });
};
