import { minus, ZERO } from '../money/money.ts';
import { isRefusal, type Refusal, refuse, type TransitionRefusal } from '../refusal.ts';
import { chargeBack } from './cancelling.ts';
import type { ApprovedPayment, CollectedPayment, Payment, PaymentReport, ReturnReport } from './payment.ts';
import { isPaidBy, outstandingRefunds, receiptMeant, receiptOf, withReceipt } from './receipts.ts';
import type { PendingSale, Sale } from './sale.ts';
import { type Ignored, moved } from './transition.ts';
import {
  awaitPayment,
  expire,
  isUnpaid,
  type Moment,
  type MoneyReturned,
  pay,
  refuseSale,
  type SaleEvent,
  type SaleTransition,
  step,
  type UnpaidSale,
} from './transitions.ts';

type Outcome = SaleTransition | Refusal<TransitionRefusal | 'paid_in_future'>;

/** Later news outranks earlier, and money outranks words: whatever lapsed or was declined, a payment confirmed has been made. */
const ORDER: readonly Payment['status'][] = ['requested', 'unknown', 'awaited', 'expired', 'declined', 'approved'];

const ignored = (sale: Sale, because: Ignored['because']): Outcome => moved(sale, { kind: 'ignored', because });

/**
 * Takes what a gateway says of a charge for a sale, in whatever state the sale is, in whatever order and however often.
 *
 * Old news changes nothing and says so. Money that comes in and goes back is kept account of, charge by charge: what is
 * paid twice, or for a sale that has ended, leaves the sale as it is and is due back; a payment that has gone back wholly
 * though nobody cancelled (a chargeback) ends the sale.
 * Refused where the report speaks of another amount, of a day to come, or does not say which of several charges it means.
 */
export const followSalePayment = (sale: Sale, report: PaymentReport, now: Moment): Outcome => {
  if (report.amount !== sale.payment.amount) return refuse('payment_amount_differs', sale.payment.amount);
  if (report.status === 'approved') return ofMoneyIn(sale, report, now);
  if (report.status === 'returned') return ofMoneyBack(sale, report, now);
  return ofNoMoney(sale, report, now);
};

const ofMoneyIn = (sale: Sale, report: CollectedPayment, now: Moment): Outcome => {
  const { chargeId, amount, paidOn } = report;
  if (paidOn > now.on) return refuse('paid_in_future');
  const known = receiptOf(sale, chargeId);
  if (known !== undefined) return ignored(sale, known.returned > 0 ? 'late' : 'repeated');
  if (isUnpaid(sale)) return pay(sale, report);
  const receipts = withReceipt(sale, { chargeId, amount, returned: ZERO });
  return moved({ ...sale, receipts }, { kind: 'refund_due', chargeId, amount });
};

const ofMoneyBack = (sale: Sale, report: ReturnReport, now: Moment): Outcome => {
  if (report.returned > report.amount) return refuse('refund_amount_differs', report.amount);
  const known = receiptMeant(sale, report.chargeId);
  if (isRefusal(known)) return known;
  if (report.returned <= known.returned) return ignored(sale, report.returned === known.returned ? 'repeated' : 'late');
  const { chargeId } = known;
  const receipts = withReceipt(sale, { ...known, returned: report.returned });
  const amount = minus(report.returned, known.returned);
  const event: MoneyReturned = { kind: 'money_returned', ...(chargeId !== undefined && { chargeId }), amount };
  return afterReturn({ ...sale, receipts }, chargeId, event, now);
};

/** What money that went back does to a sale that has taken account of it. */
const afterReturn = (sale: Sale, chargeId: string | undefined, event: SaleEvent, now: Moment): Outcome => {
  if (isUnpaid(sale)) {
    const own = sale.payment.chargeId ?? chargeId;
    if (chargeId !== own) return moved(sale, event);
    const refused = refuseSale(sale, { reason: 'payment_refunded', closedAt: now.at });
    return moved(refused.state, ...refused.events, event);
  }
  if (!isPaidBy(sale, chargeId)) return moved(sale, event);
  const isAllBack = receiptOf(sale, chargeId)?.returned === sale.payment.amount;
  if (isAllBack && (sale.status === 'paid' || sale.status === 'issued')) return step(sale, chargeBack(sale, now), event);
  const isSettled = !outstandingRefunds(sale).some((due) => due.chargeId === chargeId);
  if (isSettled && sale.status === 'cancelled' && sale.cancellation.refund.total > 0) {
    return step(sale, { ...sale, status: 'refunded', payment: sale.payment as ApprovedPayment }, event);
  }
  return moved(sale, event);
};

type MoneylessReport = Exclude<PaymentReport, CollectedPayment | ReturnReport>;

const ofNoMoney = (sale: Sale, report: MoneylessReport, now: Moment): Outcome => {
  const { chargeId = report.chargeId } = sale.payment;
  if (chargeId !== (report.chargeId ?? chargeId)) return ignored(sale, 'other_charge');
  const { status } = sale.payment;
  if (status === report.status) return ignored(sale, 'repeated');
  if (ORDER.indexOf(report.status) < ORDER.indexOf(status)) return ignored(sale, 'late');
  const payment = { ...(chargeId !== undefined && { chargeId }), ...report };
  return isUnpaid(sale)
    ? ofUnpaidSale(sale, payment, now)
    : moved({ ...sale, payment } as Sale, { kind: 'payment_moved', to: payment.status });
};

const ofUnpaidSale = (sale: UnpaidSale, payment: MoneylessReport, { at: closedAt }: Moment): Outcome => {
  if (payment.status === 'expired') return expire(sale, { closedAt, payment });
  if (payment.status === 'declined') return refuseSale(sale, { reason: payment.reason, closedAt, payment });
  // Whoever awaits a payment can hear nothing else of it: what is left is news for a pending sale alone.
  const pending = sale as PendingSale;
  if (payment.status === 'awaited') return awaitPayment(pending, payment);
  return moved({ ...pending, payment }, { kind: 'payment_moved', to: payment.status });
};
