import { isRefusal, type Refusal, refuse, type TransitionRefusal } from '../refusal.ts';
import type { Instant } from '../values/calendar.ts';
import { followPayment, type Payment } from './payment.ts';
import type { CancelledSale, ExpiredSale, RefusedSale, Sale } from './sale.ts';
import { moved, type Transition } from './transition.ts';
import { awaitPayment, expire, pay, refund, refuseSale, type SaleEvent, type UnpaidSale } from './transitions.ts';

type Outcome = Transition<Sale, SaleEvent> | Refusal<TransitionRefusal>;

/**
 * Takes what a gateway says of a sale's payment, in whatever state the sale is, however late or often it is said.
 *
 * Old news changes nothing and says so. Money that arrives for a sale that is closed leaves it closed and is due back.
 * Refused where the notice speaks of another amount, or of a refund that nobody ordered: somebody has to look at that.
 */
export const followSalePayment = (sale: Sale, reported: Payment, at: Instant): Outcome => {
  const followed = followPayment(sale.payment, reported);
  if (isRefusal(followed)) return followed;
  const [event] = followed.events;
  if (event.kind !== 'moved') return moved(sale, event);
  if (sale.status === 'pending' || sale.status === 'awaiting_payment') return ofUnpaidSale(sale, reported, at);
  if (sale.status === 'refused' || sale.status === 'expired') return ofClosedSale(sale, reported);
  if (sale.status === 'cancelled') return ofCancelledSale(sale, reported);
  return refuse('refund_not_expected');
};

const ofUnpaidSale = (sale: UnpaidSale, reported: Payment, closedAt: Instant): Outcome => {
  if (reported.status === 'approved') return pay(sale, reported);
  if (reported.status === 'declined') return refuseSale(sale, { reason: reported.reason, closedAt, payment: reported });
  if (reported.status === 'expired') return expire(sale, { closedAt, payment: reported });
  if (sale.status === 'pending' && reported.status === 'awaited') return awaitPayment(sale, reported);
  if (sale.status === 'pending' && reported.status === 'unknown') {
    return moved({ ...sale, payment: reported }, { kind: 'payment_moved', to: 'unknown' });
  }
  return refuse('refund_not_expected');
};

/** The refund that the cancellation ordered closes the sale; on a sale cancelled unpaid, money is as late as on any closed one. */
const ofCancelledSale = (sale: CancelledSale, reported: Payment): Outcome =>
  reported.status === 'refunded' && sale.cancellation.reason !== 'not_paid'
    ? refund(sale, reported)
    : ofClosedSale(sale, reported);

/** The sale stays as it is; what its payer paid after all must go back, the whole of it. */
const ofClosedSale = (sale: RefusedSale | ExpiredSale | CancelledSale, reported: Payment): Outcome => {
  if (reported.status === 'refunded' && reported.refunded !== reported.amount) {
    return refuse('refund_amount_differs', reported.amount);
  }
  const due: SaleEvent[] = reported.status === 'approved' ? [{ kind: 'refund_due', amount: reported.amount }] : [];
  return moved({ ...sale, payment: reported }, { kind: 'payment_moved', to: reported.status }, ...due);
};
