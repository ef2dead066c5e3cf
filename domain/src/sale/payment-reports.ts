import { minus, ZERO } from '../money/money.ts';
import { type Refusal, refuse, type TransitionRefusal } from '../refusal.ts';
import { chargeBack, settled } from './cancel-sale.ts';
import type { CollectedPayment, Payment, PaymentReport, ReturnReport } from './payment.ts';
import { isPaidBy, receiptOf, withReceipt } from './receipts.ts';
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

/** Later news outranks earlier, and money outranks words: whatever lapsed or was declined, a payment confirmed has been made. */
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
 * Takes what a gateway says of a charge for a sale, in whatever state the sale is, in whatever order and however often.
 *
 * Old news changes nothing and says so. Money that comes in and goes back is kept account of, charge by charge: what is
 * paid twice, or for a sale that has ended, leaves the sale as it is and is due back; a payment that has gone back wholly
 * though nobody cancelled (a chargeback) ends the sale.
 * Refused where the report speaks of another amount, of more going back than came in, of a day to come, or of money that
 * goes back without saying by which charge (one without a name is the channel's own payment).
 */
export const followSalePayment = (sale: Sale, report: PaymentReport, now: Moment): Outcome => {
  if (report.amount !== sale.payment.amount)
    return refuse('payment_amount_differs', sale.payment.amount);
  if (report.status === 'approved') return ofMoneyIn(sale, report, now);
  if (report.status === 'returned') return ofMoneyBack(sale, report, now);
  return ofNoMoney(sale, report, now);
};

const ofMoneyIn = (sale: Sale, report: CollectedPayment, now: Moment): Outcome => {
  const { chargeId, amount, paidOn } = report;
  if (paidOn > now.on) return refuse('paid_in_future');
  const { returned } = receiptOf(sale, chargeId) ?? {};
  if (isUnpaid(sale) && returned !== amount) return pay(sale, report, now.at);
  if (returned !== undefined) return ignored(sale, returned > 0 ? 'late' : 'repeated');
  const receipts = withReceipt(sale, { chargeId, amount, returned: ZERO });
  return become(sale, { ...sale, receipts }, { kind: 'money_received', chargeId, amount });
};

const ofMoneyBack = (sale: Sale, report: ReturnReport, now: Moment): Outcome => {
  const { chargeId, amount, returned } = report;
  if (returned > amount) return refuse('refund_amount_differs', amount);
  const known = receiptOf(sale, chargeId);
  if (known === undefined && chargeId === undefined) return refuse('charge_not_named');
  const before = known?.returned ?? ZERO;
  if (returned <= before) return ignored(sale, returned === before ? 'repeated' : 'late');
  const named = chargeId === undefined ? {} : { chargeId };
  const receipts = withReceipt(sale, { ...named, amount, returned });
  const event: MoneyReturned = {
    kind: 'money_returned',
    ...named,
    amount: minus(returned, before),
  };
  return afterReturn(sale, { ...sale, receipts }, event, returned === amount, now);
};

/** What a sale becomes that has taken account of money that went back by a charge, a part of it or all. */
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

type MoneylessReport = Exclude<PaymentReport, CollectedPayment | ReturnReport>;

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
  // Whoever awaits a payment can hear nothing else of it: what is left is news for a pending sale alone.
  const pending = sale as PendingSale;
  if (payment.status === 'awaited') return awaitPayment(pending, payment);
  return moved({ ...pending, payment }, { kind: 'payment_moved', to: payment.status });
};
