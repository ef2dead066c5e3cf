import { type CancellationRefusal, isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import {
  type CancellationFigures,
  type CancelledBy,
  type Contract,
  cancellationOn,
  fullRefund,
  nothingPaid,
} from './cancellation.ts';
import { isCancelled } from './cancellation-notice.ts';
import { cancelPolicy } from './policy.ts';
import { outstandingRefunds } from './receipts.ts';
import type { CancelledSale, IssuedSale, PaidSale, RefundedSale, Sale } from './sale.ts';
import {
  isUnpaid,
  type Moment,
  type SaleTransition,
  step,
  type UnpaidSale,
} from './sale-transitions.ts';

/** A sale that can still be cancelled. */
export type CancellableSale = UnpaidSale | PaidSale | IssuedSale;

export const isCancellable = (sale: Sale): sale is CancellableSale =>
  isUnpaid(sale) || sale.status === 'paid' || sale.status === 'issued';

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
});

/**
 * The figures that `cancel` would give on that day. Nothing paid: no refund. Collected by the
 * service and not yet issued: full refund. Otherwise the withdrawal period or the product's rule
 * decides.
 */
export const previewCancellation = (
  sale: CancellableSale,
  on: CalendarDate,
  by: CancelledBy = 'insured',
): CancellationFigures | Refusal<CancellationRefusal> => {
  const { terms, payment, status } = sale;
  if (on < terms.soldOn) return refuse('cancelled_before_sale');
  if (payment.status !== 'approved') return nothingPaid(contractOf(sale, terms.soldOn, by), on);
  const contract = contractOf(sale, payment.paidOn, by);
  const isUnissued = status === 'paid' && payment.collectedBy === 'service';
  return isUnissued ? fullRefund(contract, on, 'not_issued') : cancellationOn(contract, on);
};

/**
 * Cancels a sale. Its events name the refund due for each charge; if that has been returned
 * already, the sale is refunded at once.
 */
export const cancel = (
  sale: CancellableSale,
  moment: Moment,
  by: CancelledBy = 'insured',
): SaleTransition<CancelledSale | RefundedSale> | Refusal<CancellationRefusal> => {
  const cancellation = previewCancellation(sale, moment.on, by);
  if (isRefusal(cancellation)) return cancellation;
  return step(
    sale,
    settled({ ...ended(sale, cancellation, moment), status: 'cancelled', payment: sale.payment }),
  );
};

/** Turns a cancelled sale into a refunded one when no part of its refund is outstanding. */
export const settled = (sale: CancelledSale): CancelledSale | RefundedSale => {
  const { payment, cancellation } = sale;
  const isMissing = outstandingRefunds(sale).some(({ chargeId }) => chargeId === payment.chargeId);
  if (payment.status !== 'approved' || cancellation.refund.total <= 0 || isMissing) return sale;
  return { ...sale, status: 'refunded', payment };
};

/** Ends a sale whose whole payment was returned without a cancellation. */
export const chargeBack = (sale: PaidSale | IssuedSale, moment: Moment): RefundedSale => {
  const figures = fullRefund(
    contractOf(sale, sale.payment.paidOn, 'insured'),
    moment.on,
    'charged_back',
  );
  return { ...ended(sale, figures, moment), status: 'refunded', payment: sale.payment };
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
