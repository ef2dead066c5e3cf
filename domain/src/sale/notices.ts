import { isRefusal, type Refusal, refuse, type TransitionRefusal } from '../refusal.ts';
import { followPayment, type Payment, type RefundedPayment } from './payment.ts';
import type { CancelledSale, ExpiredSale, IssuedSale, PaidSale, PendingSale, RefusedSale, Sale } from './sale.ts';
import { moved, type Transition } from './transition.ts';
import {
  awaitPayment,
  chargeBack,
  expire,
  type Moment,
  pay,
  refund,
  refuseSale,
  type SaleEvent,
  type UnpaidSale,
} from './transitions.ts';

type Outcome = Transition<Sale, SaleEvent> | Refusal<TransitionRefusal | 'paid_in_future'>;

/**
 * Takes what a gateway says of a sale's payment, in whatever state the sale is, however late or often it is said.
 *
 * Old news changes nothing and says so. Money that arrives for a sale that is closed leaves it closed and is due back, and
 * so is a second charge. Money that went back without a cancellation (a chargeback) ends the sale.
 * Refused where the notice speaks of another amount, of a refund other than the one due, or of a day to come: somebody
 * has to look at that.
 */
export const followSalePayment = (sale: Sale, reported: Payment, now: Moment): Outcome => {
  if (reported.status === 'approved' && reported.paidOn > now.on) return refuse('paid_in_future');
  const followed = followPayment(sale.payment, reported);
  if (isRefusal(followed)) return followed;
  const { state: payment, events } = followed;
  const [event] = events;
  // The payment may have learnt of another charge; its own status is what it was.
  if (event.kind !== 'moved') return moved({ ...sale, payment } as Sale, event);
  switch (sale.status) {
    case 'pending':
    case 'awaiting_payment':
      return ofUnpaidSale(sale, payment, now);
    case 'cancelled':
      return ofCancelledSale(sale, payment);
    case 'refused':
    case 'expired':
      return ofClosedSale(sale, payment);
    default:
      return ofPaidSale(sale as PaidSale | IssuedSale, payment as RefundedPayment, now);
  }
};

const ofUnpaidSale = (sale: UnpaidSale, payment: Payment, now: Moment): Outcome => {
  if (payment.status === 'approved') return pay(sale, payment);
  if (payment.status === 'expired') return expire(sale, { closedAt: now.at, payment });
  if (payment.status === 'declined') return refuseSale(sale, { reason: payment.reason, closedAt: now.at, payment });
  if (payment.status === 'refunded') return refuseSale(sale, { reason: 'payment_refunded', closedAt: now.at, payment });
  // Whoever awaits a payment can hear nothing else of it: what is left is news for a pending sale alone.
  return ofPendingSale(sale as PendingSale, payment);
};

const ofPendingSale = (sale: PendingSale, payment: Payment): Outcome =>
  payment.status === 'awaited'
    ? awaitPayment(sale, payment)
    : moved({ ...sale, payment } as PendingSale, { kind: 'payment_moved', to: payment.status });

/** The refund that the cancellation ordered closes the sale; on a sale cancelled unpaid, money is as late as on any closed one. */
const ofCancelledSale = (sale: CancelledSale, payment: Payment): Outcome =>
  payment.status === 'refunded' && sale.cancellation.reason !== 'not_paid' ? refund(sale, payment) : ofClosedSale(sale, payment);

/** The sale stays as it is; what its payer paid after all must go back, the whole of it. */
const ofClosedSale = (sale: RefusedSale | ExpiredSale | CancelledSale, payment: Payment): Outcome => {
  const { amount } = payment;
  if (payment.status === 'refunded' && payment.refunded !== amount) return refuse('refund_amount_differs', amount);
  const due: SaleEvent[] = payment.status === 'approved' ? [{ kind: 'refund_due', amount }] : [];
  return moved({ ...sale, payment }, { kind: 'payment_moved', to: payment.status }, ...due);
};

/** All that can be new about what was paid is that it went back: wholly, or somebody has to look at it. */
const ofPaidSale = (sale: PaidSale | IssuedSale, payment: RefundedPayment, now: Moment): Outcome =>
  payment.refunded === payment.amount ? chargeBack(sale, payment, now) : refuse('refund_not_expected');
