import { type Cents, ZERO } from '../money/money.ts';
import { type CancellationRefusal, isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import {
  type CancellationFigures,
  type CancelledBy,
  type Contract,
  cancellationOn,
  fullRefund,
  nothingPaid,
} from './cancellation.ts';
import {
  type ApprovedPayment,
  type AwaitedPayment,
  type ChargedAgain,
  carriedOver,
  type DeclinedPayment,
  type ExpiredPayment,
  type ExtraChargeRefunded,
  type Payment,
  type RefundedPayment,
} from './payment.ts';
import { type ActivePolicy, cancelPolicy } from './policy.ts';
import type {
  AwaitingPaymentSale,
  CancelledSale,
  ExpiredSale,
  IssuedSale,
  PaidSale,
  PendingSale,
  RefundedSale,
  RefusedSale,
  Sale,
} from './sale.ts';
import { type Ignored, type Moved, moved, type Transition } from './transition.ts';

/** Money that has to go back to whoever paid it. */
export interface RefundDue {
  readonly kind: 'refund_due';
  readonly amount: Cents;
}

/** The payment changed, and the sale's status did not. */
export interface PaymentMoved {
  readonly kind: 'payment_moved';
  readonly to: Payment['status'];
}

/** What can happen to a sale. */
export type SaleEvent = Moved<Sale['status']> | PaymentMoved | RefundDue | ChargedAgain | ExtraChargeRefunded | Ignored;

/** A sale that nobody has paid yet. */
export type UnpaidSale = PendingSale | AwaitingPaymentSale;

/** A sale that can still be cancelled. */
export type CancellableSale = UnpaidSale | PaidSale | IssuedSale;

export const isCancellable = (sale: Sale): sale is CancellableSale =>
  ['pending', 'awaiting_payment', 'paid', 'issued'].includes(sale.status);

const step = <To extends Sale>(from: Sale, state: To, ...more: SaleEvent[]): Transition<To, SaleEvent> =>
  moved(state, { kind: 'moved', from: from.status, to: state.status }, ...more);

const isFor = (sale: Sale, payment: { readonly amount: Cents }): boolean => payment.amount === sale.payment.amount;

type AmountRefusal = Refusal<'payment_amount_differs'>;

/** A person has to pay, at the address that the payment carries. */
export const awaitPayment = (
  sale: PendingSale,
  payment: AwaitedPayment,
): Transition<AwaitingPaymentSale, SaleEvent> | AmountRefusal =>
  isFor(sale, payment)
    ? step(sale, { ...sale, status: 'awaiting_payment', payment })
    : refuse('payment_amount_differs', sale.payment.amount);

/** The money is there, the whole of it. */
export const pay = (sale: UnpaidSale, payment: ApprovedPayment): Transition<PaidSale, SaleEvent> | AmountRefusal =>
  isFor(sale, payment) ? step(sale, { ...sale, status: 'paid', payment }) : refuse('payment_amount_differs', sale.payment.amount);

/** The insurer has issued the policy. Only a paid sale can be issued: any other does not compile. */
export const issue = (sale: PaidSale, policy: ActivePolicy): Transition<IssuedSale, SaleEvent> =>
  step(sale, { ...sale, status: 'issued', policy });

/** The bank or the insurer declined before anything was paid, or what was paid has already gone back. */
export const refuseSale = (
  sale: UnpaidSale,
  { reason, closedAt, payment }: Closing<DeclinedPayment | RefundedPayment> & { readonly reason: string },
): Transition<RefusedSale, SaleEvent> =>
  step(sale, { ...sale, status: 'refused', payment: payment ?? sale.payment, reason, closedAt });

/** Nobody paid in time. */
export const expire = (sale: UnpaidSale, { closedAt, payment }: Closing<ExpiredPayment>): Transition<ExpiredSale, SaleEvent> =>
  step(sale, { ...sale, status: 'expired', payment: payment ?? sale.payment, closedAt });

interface Closing<Ended extends Payment> {
  readonly closedAt: Instant;
  /** What has become of the payment; absent, it stays as it was. */
  readonly payment?: Ended;
}

/** A day of the insured's calendar and the moment in it. */
export interface Moment {
  readonly on: CalendarDate;
  readonly at: Instant;
}

const contractOf = ({ terms, ...sale }: CancellableSale, paidOn: CalendarDate, by: CancelledBy): Contract => ({
  soldOn: terms.soldOn,
  paidOn,
  period: sale.status === 'issued' ? sale.policy.period : terms.period,
  premium: terms.quote.premium,
  commission: terms.quote.commission,
  rule: terms.cancellation,
  by,
});

/**
 * The figures that `cancel` on that day would give: nothing where nothing was paid; everything where the service took the
 * money and no policy has been issued yet; else what the days of withdrawal or the product's rule say.
 */
export const previewCancellation = (
  sale: CancellableSale,
  on: CalendarDate,
  by: CancelledBy = 'insured',
): CancellationFigures | Refusal<CancellationRefusal> => {
  const { terms, payment, status } = sale;
  if (payment.status !== 'approved') return nothingPaid(contractOf(sale, terms.soldOn, by), on);
  const contract = contractOf(sale, payment.paidOn, by);
  const isUnissued = status === 'paid' && payment.collectedBy === 'service';
  return isUnissued ? fullRefund(contract, on, 'not_issued') : cancellationOn(contract, on);
};

/** The insured cancels, or the insurer does. */
export const cancel = (
  sale: CancellableSale,
  moment: Moment,
  by: CancelledBy = 'insured',
): Transition<CancelledSale, SaleEvent> | Refusal<CancellationRefusal> => {
  const cancellation = previewCancellation(sale, moment.on, by);
  if (isRefusal(cancellation)) return cancellation;
  const { total } = cancellation.refund;
  const due: SaleEvent[] = total > 0 ? [{ kind: 'refund_due', amount: total }] : [];
  return step(sale, { ...ended(sale, cancellation, moment), status: 'cancelled', payment: sale.payment }, ...due);
};

/** The whole payment went back without anybody cancelling: the contract has no premium any more, and ends. */
export const chargeBack = (
  sale: PaidSale | IssuedSale,
  payment: RefundedPayment,
  moment: Moment,
): Transition<RefundedSale, SaleEvent> => {
  const figures = fullRefund(contractOf(sale, sale.payment.paidOn, 'insured'), moment.on, 'charged_back');
  return step(sale, { ...ended(sale, figures, moment), status: 'refunded', payment: carriedOver(sale.payment, payment) });
};

const ended = (sale: CancellableSale, cancellation: CancellationFigures, { on, at: cancelledAt }: Moment) => {
  const { id, ticket, registeredAt, version, terms } = sale;
  const policy = sale.status === 'issued' ? { policy: cancelPolicy(sale.policy, on).state } : {};
  return { id, ticket, registeredAt, version, terms, ...policy, cancelledAt, cancellation };
};

/** What was due has gone back to the payer, by the charge that paid. */
export const refund = (
  sale: CancelledSale,
  payment: RefundedPayment,
): Transition<RefundedSale, SaleEvent> | Refusal<'refund_not_expected' | 'refund_amount_differs'> => {
  const { total } = sale.cancellation.refund;
  const refunded = carriedOver(sale.payment, payment);
  if (total <= 0 || refunded.chargeId !== sale.payment.chargeId) return refuse('refund_not_expected');
  return refunded.refunded === total
    ? step(sale, { ...sale, status: 'refunded', payment: refunded })
    : refuse('refund_amount_differs', total);
};

/** Money that is still to go back to the payer; one without a charge was taken by the channel. */
export interface OutstandingRefund {
  readonly chargeId?: string;
  readonly amount: Cents;
}

/** Everything that must still go back, whatever events were missed: what a cancellation left, what came too late or twice. */
export const outstandingRefunds = (sale: Sale): readonly OutstandingRefund[] => {
  const { chargeId, extraCharges = [] } = sale.payment;
  const amount = sale.payment.status === 'approved' ? amountDue(sale) : ZERO;
  const own: OutstandingRefund[] = amount > 0 ? [{ ...(chargeId !== undefined && { chargeId }), amount }] : [];
  const extra = extraCharges.filter(({ status }) => status === 'to_refund');
  return [...own, ...extra.map((each) => ({ chargeId: each.chargeId, amount: each.amount }))];
};

const amountDue = (sale: Sale): Cents => {
  if (sale.status === 'refused' || sale.status === 'expired') return sale.payment.amount;
  if (sale.status !== 'cancelled') return ZERO;
  return sale.cancellation.reason === 'not_paid' ? sale.payment.amount : sale.cancellation.refund.total;
};
