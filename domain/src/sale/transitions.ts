import type { Cents } from '../money/money.ts';
import { type CancellationRefusal, isRefusal, type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import { type CancellationFigures, type Contract, cancellationOn, fullRefund, nothingPaid } from './cancellation.ts';
import type { ApprovedPayment, AwaitedPayment, ChargedAgain, Payment, RefundedPayment } from './payment.ts';
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
export type SaleEvent = Moved<Sale['status']> | PaymentMoved | RefundDue | ChargedAgain | Ignored;

/** A sale that nobody has paid yet. */
export type UnpaidSale = PendingSale | AwaitingPaymentSale;

/** A sale that can still be cancelled. */
export type CancellableSale = UnpaidSale | PaidSale | IssuedSale;

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

/** The bank or the insurer declined before anything was paid. */
export const refuseSale = (
  sale: UnpaidSale,
  { reason, closedAt, payment = sale.payment }: { readonly reason: string } & Closing,
): Transition<RefusedSale, SaleEvent> => step(sale, { ...sale, status: 'refused', payment, reason, closedAt });

/** Nobody paid in time. */
export const expire = (sale: UnpaidSale, { closedAt, payment = sale.payment }: Closing): Transition<ExpiredSale, SaleEvent> =>
  step(sale, { ...sale, status: 'expired', payment, closedAt });

interface Closing {
  readonly closedAt: Instant;
  /** What has become of the payment; absent, it stays as it was. */
  readonly payment?: Payment;
}

const contractOf = ({ terms, payment }: CancellableSale): Contract => ({
  soldOn: terms.soldOn,
  paidOn: payment.status === 'approved' ? payment.paidOn : terms.soldOn,
  period: terms.period,
  premium: terms.quote.premium,
  commission: terms.quote.commission,
  rule: terms.cancellation,
});

/** The figures that `cancel` on that day would give. */
export const previewCancellation = (
  sale: CancellableSale,
  on: CalendarDate,
): CancellationFigures | Refusal<CancellationRefusal> => {
  const contract = contractOf(sale);
  return sale.payment.status === 'approved' ? cancellationOn(contract, on) : nothingPaid(contract, on);
};

/** A day of the insured's calendar and the moment in it. */
export interface Moment {
  readonly on: CalendarDate;
  readonly at: Instant;
}

const cancelled = (
  { id, ticket, registeredAt, version, terms, payment, ...sale }: CancellableSale,
  cancellation: CancellationFigures,
  { on, at }: Moment,
): Transition<CancelledSale, SaleEvent> => {
  const policy = sale.status === 'issued' ? { policy: cancelPolicy(sale.policy, on).state } : {};
  const kept = { id, ticket, registeredAt, version, terms, payment, ...policy };
  const { total } = cancellation.refund;
  const due: SaleEvent[] = total > 0 ? [{ kind: 'refund_due', amount: total }] : [];
  const event: SaleEvent = { kind: 'moved', from: sale.status, to: 'cancelled' };
  return moved({ ...kept, status: 'cancelled', cancelledAt: at, cancellation }, event, ...due);
};

/** The insured cancels: withdraws in the first days, or gets back what the product's rule leaves. */
export const cancel = (
  sale: CancellableSale,
  moment: Moment,
): Transition<CancelledSale, SaleEvent> | Refusal<CancellationRefusal> => {
  const cancellation = previewCancellation(sale, moment.on);
  return isRefusal(cancellation) ? cancellation : cancelled(sale, cancellation, moment);
};

/** The insurer will not issue what has been paid for: everything goes back. */
export const declineIssue = (sale: PaidSale, moment: Moment): Transition<CancelledSale, SaleEvent> =>
  cancelled(sale, fullRefund(contractOf(sale), moment.on, 'not_issued'), moment);

/** What was due has gone back to the payer. */
export const refund = (
  sale: CancelledSale,
  payment: RefundedPayment,
): Transition<RefundedSale, SaleEvent> | Refusal<'refund_not_expected' | 'refund_amount_differs'> => {
  const { total } = sale.cancellation.refund;
  if (total <= 0) return refuse('refund_not_expected');
  return payment.refunded === total
    ? step(sale, { ...sale, status: 'refunded', payment })
    : refuse('refund_amount_differs', total);
};
