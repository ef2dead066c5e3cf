import { refuse } from '../refusals/refusal.ts';
import { followMoney } from './cancel-sale.ts';
import type {
  Payment,
  PaymentReport,
  Receipt,
  ReceivedReport,
  RefundRefusedReport,
  ReturnReport,
  UnconfirmedReport,
  UndoneReport,
} from './payment.ts';
import { isPaidTooLate } from './price-end.ts';
import {
  isAuthorized,
  isChargeOpen,
  isFree,
  leftOf,
  receiptOf,
  receivedBy,
  undecidedReceipts,
  withReceipt,
} from './receipts.ts';
import { ofMoneyBack, ofRefundUndone } from './returned-money.ts';
import { isUnpaid, type PendingSale, type Sale, type UnpaidSale } from './sale.ts';
import {
  awaitPayment,
  become,
  expireSale,
  ignored,
  type Moment,
  type Outcome,
  payBy,
  paySale,
  refuseSale,
  step,
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
 * and repeatedly; old news changes nothing. `undone` and `unconfirmed` reports are the exception: give
 * only what the gateway shows now.
 *
 * Money is recorded per charge. At least the price pays the sale, also by several charges that each
 * brought less, and more is due back. Less than the price does not pay it. A second payment, one for
 * an ended sale, or one after the last day of the price is due back. What is left of a payment counts:
 * nothing ends the sale (chargeback), and of less than the price an operator decides.
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
  if (report.status === 'unconfirmed') return ofUnconfirmed(sale, report, now);
  if (report.status === 'refund_refused') return ofRefusedRefund(sale, report, now);
  const { chargeId } = report;
  const isUnpaidThere = report.status === 'awaited' || report.status === 'expired';
  if (isUnpaidThere && chargeId !== undefined && receiptOf(sale, chargeId)?.inCash)
    return ofCashUndone(sale, chargeId);
  const { payment } = sale;
  const asks = payment.status === 'awaited' ? payment.asks : undefined;
  if (report.amount !== payment.amount && (report.amount !== asks || payment.chargeId !== chargeId))
    return refuse('payment_amount_differs', payment.amount);
  return ofNoMoney(sale, { ...report, amount: payment.amount }, now);
};

const ofMoneyIn = (sale: Sale, report: ReceivedReport, now: Moment): Outcome => {
  const { chargeId, amount, paidOn } = report;
  if (paidOn > now.on) return seenBy(sale, chargeId) ?? refuse('paid_in_future');
  const known = receiptOf(sale, chargeId);
  const receipt = receivedBy(sale, report, now.at, now.on);
  const receipts = withReceipt(sale, receipt);
  if (isUnpaid(sale)) {
    if (known === undefined && isPaidTooLate(sale, paidOn, now))
      return ofLateMoney(sale, receipts, report, now);
    if (amount >= sale.payment.amount && known?.returned !== amount)
      return paySale(sale, report, now.at, now.on);
    const together = payTogether({ ...sale, receipts }, receipt, report, now);
    if (together !== undefined) return together;
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

/** Several charges that brought less than the price each pay the sale if together they bring it. */
const payTogether = (
  sale: UnpaidSale,
  receipt: Receipt,
  { method, paidOn }: ReceivedReport,
  now: Moment,
): Outcome | undefined => {
  const free = undecidedReceipts(sale).filter(isFree);
  const sum = free.reduce((before, { amount }) => before + amount, 0);
  const own = free.find(({ chargeId }) => chargeId === sale.payment.chargeId) ?? free[0];
  if (own?.chargeId === undefined || sum < sale.payment.amount || !free.includes(receipt))
    return undefined;
  const others = free.filter((each) => each !== own);
  const alsoBy = others.map((each) => each.chargeId as string);
  const how = { chargeId: own.chargeId, ...(method && { method }), paidOn, alsoBy };
  return payBy(sale, own, how, now.at);
};

/**
 * The sale of whose own charge a payment is seen that the gateway has not confirmed; undefined if that
 * is known already, or the sale does not wait for it.
 */
const seenBy = (sale: Sale, chargeId: string | undefined): Outcome | undefined => {
  if (sale.status !== 'awaiting_payment' || sale.payment.isSeen) return undefined;
  if (sale.payment.chargeId !== chargeId || receiptOf(sale, chargeId) !== undefined)
    return undefined;
  const payment = { ...sale.payment, isSeen: true as const };
  return moved({ ...sale, payment }, { kind: 'payment_moved', to: payment.status });
};

/** A sale whose charge was not known: the money that came shows it. */
const withChargeNamed = (sale: Sale, chargeId: string): Sale => {
  const { payment, status } = sale;
  if (status !== 'pending' || payment.chargeId !== undefined) return sale;
  const { amount, gateway } = payment;
  return { ...sale, payment: { status: 'unknown', amount, chargeId, ...(gateway && { gateway }) } };
};

const isSameMoney = (one: Receipt, other: Receipt): boolean =>
  one.dispute?.status === other.dispute?.status &&
  one.dispute?.respondBy === other.dispute?.respondBy &&
  one.dispute?.amount === other.dispute?.amount &&
  one.inCash === other.inCash &&
  one.returnsWholeOnly === other.returnsWholeOnly &&
  one.unconfirmed === undefined;

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

/** Money that was confirmed is not shown as paid any more. It may come back. */
const ofUnconfirmed = (sale: Sale, { chargeId }: UnconfirmedReport, now: Moment): Outcome => {
  const known = receiptOf(sale, chargeId);
  if (known === undefined || known.unconfirmed || known.inCash || leftOf(known) === 0)
    return ignored(sale, 'repeated');
  // A refund of it that was on its way is not shown either.
  const { ordered: _, waitsFor: __, ...others } = known;
  const receipts = withReceipt(sale, { ...others, unconfirmed: { since: now.at } });
  return followMoney(sale, { ...sale, receipts }, { kind: 'payment_unconfirmed', chargeId });
};

const ofRefusedRefund = (sale: Sale, report: RefundRefusedReport, now: Moment): Outcome => {
  const { chargeId, words } = report;
  const known = receiptOf(sale, chargeId);
  if (known === undefined) return ignored(sale, 'other_charge');
  const refused = {
    times: (known.refused?.times ?? 0) + 1,
    lastAt: now.at,
    lastOn: now.on,
    ...(words !== undefined && { words }),
  };
  const receipts = withReceipt(sale, { ...known, refused });
  return become(sale, { ...sale, receipts }, { kind: 'refund_moved', chargeId });
};

type MoneylessReport = Exclude<
  PaymentReport,
  ReceivedReport | ReturnReport | UndoneReport | UnconfirmedReport | RefundRefusedReport
>;

const ofNoMoney = (sale: Sale, report: MoneylessReport, now: Moment): Outcome => {
  const { status, chargeId = report.chargeId } = sale.payment;
  if (chargeId !== (report.chargeId ?? chargeId)) return ignored(sale, 'other_charge');
  const isNamedNow = sale.payment.chargeId === undefined && chargeId !== undefined;
  const receipt = receiptOf(sale, report.chargeId);
  if (report.status === 'unknown' && status === 'awaited')
    return seenBy(sale, report.chargeId) ?? ignored(sale, 'late');
  const isSeen = sale.payment.status === 'awaited' && sale.payment.isSeen;
  const isHeldNow = report.status === 'unknown' && report.isAuthorized && !isAuthorized(sale);
  if (status === report.status && !isNamedNow && !isSeen && !isHeldNow)
    return ignored(sale, 'repeated');
  if (status === 'approved' && report.status === 'expired' && isChargeOpen(sale))
    return moved({ ...sale, payment: { ...sale.payment, isClosed: true } } as Sale, {
      kind: 'payment_moved',
      to: report.status,
    });
  if (receipt !== undefined || ORDER.indexOf(report.status) < ORDER.indexOf(status))
    return ignored(sale, 'late');
  const { gateway } = sale.payment;
  const payment = {
    ...(gateway !== undefined && { gateway }),
    ...(chargeId !== undefined && { chargeId }),
    ...report,
  };
  return isUnpaid(sale)
    ? ofUnpaidSale(sale, payment, now)
    : moved({ ...sale, payment } as Sale, { kind: 'payment_moved', to: payment.status });
};

const ofUnpaidSale = (
  sale: UnpaidSale,
  payment: MoneylessReport,
  { at: closedAt }: Moment,
): Outcome => {
  if (payment.status === 'expired')
    return isAuthorized(sale)
      ? refuseSale(sale, { reason: 'not_charged', closedAt, payment })
      : expireSale(sale, { closedAt, payment });
  if (payment.status === 'declined')
    return refuseSale(sale, { reason: payment.reason, closedAt, payment });
  if (payment.status === 'awaited' && sale.status === 'awaiting_payment')
    return moved({ ...sale, payment }, { kind: 'payment_moved', to: payment.status });
  // The only other reports concern a pending sale: an awaiting one ignores them as late.
  const pending = sale as PendingSale;
  if (payment.status === 'awaited') return awaitPayment(pending, payment);
  return moved({ ...pending, payment }, { kind: 'payment_moved', to: payment.status });
};
