import { type Amounts, amounts } from '../pricing/premium.ts';
import { type CancellationRefusal, isRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import {
  type CancellationFigures,
  type CancelledBy,
  type Contract,
  cancellationOn,
  fullRefund,
  type StatedReason,
} from '../rules/cancellation.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { allocateByWeight, min, plus, ZERO } from '../values/money.ts';
import { isCancelled } from './cancellation-notice.ts';
import { outstandingRefunds } from './outstanding-refunds.ts';
import { cancelPolicy } from './policy.ts';
import { isPaidBy, isUnconfirmed, leftOf } from './receipts.ts';
import {
  type CancelledSale,
  type IssuedSale,
  isUnpaid,
  type PaidSale,
  type RefundedSale,
  type Sale,
  type UnpaidSale,
} from './sale.ts';
import {
  become,
  type Moment,
  type MoneyReceived,
  type MoneyReturned,
  type RefundMoved,
  type SaleTransition,
  step,
} from './sale-transitions.ts';
import { checkLeaves } from './transition.ts';

/** A sale that can still be cancelled. */
export type CancellableSale = UnpaidSale | PaidSale | IssuedSale;

const CANCELLABLE: readonly Sale['status'][] = ['pending', 'awaiting_payment', 'paid', 'issued'];

export const isCancellable = (sale: Sale): sale is CancellableSale =>
  CANCELLABLE.includes(sale.status);

/**
 * Whether the service may give up a sale, which cancels it by the insurer's side with a full refund:
 * the service collects the payment, and no policy was issued.
 */
export const canBeGivenUp = (sale: Sale): sale is UnpaidSale | PaidSale =>
  sale.terms.payment.collectedBy === 'service' && (isUnpaid(sale) || sale.status === 'paid');

/** Whether a sale has ended as one that was given up: by the insurer's side, before a policy. */
export const wasGivenUp = (sale: Sale): sale is CancelledSale | RefundedSale =>
  isCancelled(sale) &&
  sale.cancellation.by === 'insurer' &&
  (sale.cancellation.reason === 'not_paid' || sale.cancellation.reason === 'not_issued');

const contractOf = (
  { terms, ...sale }: CancellableSale,
  paidOn: CalendarDate,
  by: CancelledBy,
): Contract => ({
  soldOn: terms.soldOn,
  paidOn,
  period: sale.status === 'issued' ? sale.policy.period : terms.period,
  premium: terms.quote.premium,
  commission: terms.quote.commission,
  rule: terms.cancellation,
  by,
  paid: amountsPaid({ ...sale, terms }),
});

/** What came of the price, split into premium and IOF as the price is. */
const amountsPaid = (sale: CancellableSale): Amounts => {
  const { premium } = sale.terms.quote;
  const came = isUnpaid(sale)
    ? sale.receipts.map(leftOf)
    : sale.receipts.filter((each) => isPaidBy(sale, each.chargeId)).map(({ amount }) => amount);
  const [net = ZERO, iof = ZERO] = allocateByWeight(min(plus(ZERO, ...came), premium.total), [
    premium.net,
    premium.iof,
  ]);
  return amounts(net, iof);
};

/**
 * The figures that `cancelSale` would give on that day. Nothing paid: no refund. Collected by the
 * service and not yet issued: full refund. Otherwise the withdrawal period or the product's rule
 * decides.
 *
 * @example previewCancellation(issued, on).reason // 'withdrawal'
 */
export const previewCancellation = (
  sale: CancellableSale,
  on: CalendarDate,
  by: CancelledBy = 'insured',
): CancellationFigures | Refusal<CancellationRefusal> => {
  const { terms, payment, status } = sale;
  checkLeaves(status, 'cancelled', CANCELLABLE);
  if (on < terms.soldOn) return refuse('cancelled_before_sale');
  if (payment.status !== 'approved')
    return fullRefund(contractOf(sale, terms.soldOn, by), on, 'not_paid');
  const contract = contractOf(sale, payment.paidOn, by);
  const isUnissued = status === 'paid' && payment.collectedBy === 'service';
  return isUnissued ? fullRefund(contract, on, 'not_issued') : cancellationOn(contract, on);
};

/**
 * Cancels a sale. Its events name the refund due for each charge; if that has been returned
 * already, the sale is refunded at once.
 *
 * @example cancelSale(issued, now).state.status // 'cancelled'
 */
export const cancelSale = (
  sale: CancellableSale,
  moment: Moment,
  by: CancelledBy = 'insured',
  stated?: StatedReason,
): SaleTransition<CancelledSale | RefundedSale> | Refusal<CancellationRefusal> => {
  const figures = previewCancellation(sale, moment.on, by);
  if (isRefusal(figures)) return figures;
  const cancellation = { ...figures, ...(stated && { stated }) };
  return step(
    sale,
    settled({ ...ended(sale, cancellation, moment), status: 'cancelled', payment: sale.payment }),
  );
};

/** Refunded if no refund of any charge is outstanding, or unsure, or else cancelled. */
const settled = (sale: CancelledSale | RefundedSale): CancelledSale | RefundedSale => {
  const { payment, cancellation } = sale;
  const isDue = outstandingRefunds(sale).length > 0 || sale.receipts.some(isUnconfirmed);
  return payment.status !== 'approved' || cancellation.refund.total <= 0 || isDue
    ? { ...sale, status: 'cancelled' }
    : { ...sale, status: 'refunded', payment };
};

/**
 * Completes a transition of the money. The status of a cancelled sale follows: it may be refunded by
 * it, and a refunded one cancelled again.
 */
export const followMoney = (
  before: Sale,
  after: Sale,
  event: MoneyReceived | MoneyReturned | RefundMoved,
): SaleTransition => {
  const state = isCancelled(after) ? settled(after) : after;
  return state.status === before.status ? become(before, state, event) : step(before, state, event);
};

/**
 * Ends a sale whose whole payment was returned without a cancellation (`charged_back`), or whose
 * payment is not there, or not whole, as an operator has decided (`payment_lost`).
 *
 * @param receipts the money that is there; by default all that came
 */
export const chargeBack = (
  sale: PaidSale | IssuedSale,
  moment: Moment,
  reason: 'charged_back' | 'payment_lost' = 'charged_back',
  receipts: Sale['receipts'] = sale.receipts,
): CancelledSale | RefundedSale => {
  const contract = contractOf(sale, sale.payment.paidOn, 'insured');
  const after = ended({ ...sale, receipts }, fullRefund(contract, moment.on, reason), moment);
  return settled({ ...after, status: 'cancelled', payment: sale.payment });
};

const ended = (
  sale: CancellableSale,
  cancellation: CancellationFigures,
  { on, at: cancelledAt }: Moment,
) => {
  const { id, ticket, registeredAt, version, terms, receipts } = sale;
  const { issuance, attempts, corrections } = sale;
  const policy = sale.status === 'issued' ? { policy: cancelPolicy(sale.policy, on).state } : {};
  const open = {
    ...(issuance && { issuance }),
    ...(attempts && { attempts }),
    ...(corrections && { corrections }),
  };
  const booked = 'bookedAt' in sale ? { bookedAt: sale.bookedAt } : {};
  return {
    id,
    ticket,
    registeredAt,
    version,
    terms,
    receipts,
    ...booked,
    ...open,
    ...policy,
    cancelledAt,
    cancellation,
  };
};
