import type { IofRate } from '../pricing/iof.ts';
import { type Refusal, refuse, type TransitionRefusal } from '../refusals/refusal.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import type { Cents } from '../values/money.ts';
import { type OutstandingRefund, outstandingRefunds } from './outstanding-refunds.ts';
import type {
  AwaitedPayment,
  CollectedPayment,
  DeclinedPayment,
  ExpiredPayment,
  Payment,
  Receipt,
  ReceivedReport,
} from './payment.ts';
import type { ActivePolicy } from './policy.ts';
import { receivedBy, withReceipt } from './receipts.ts';
import {
  type AwaitingPaymentSale,
  type ExpiredSale,
  type IssuedSale,
  type PaidSale,
  type PendingSale,
  type RefusedReason,
  type RefusedSale,
  SALE_LIFECYCLE,
  SALE_STATUSES,
  type Sale,
  type UnpaidSale,
} from './sale.ts';
import { checkLeaves, type Ignored, type Moved, moved, type Transition } from './transition.ts';

/** The payment changed; the sale's status did not. */
export interface PaymentMoved {
  readonly kind: 'payment_moved';
  readonly to: Payment['status'];
}

/** A larger refund is due for a charge than before. */
export interface RefundDue extends OutstandingRefund {
  readonly kind: 'refund_due';
}

/** The insurer has shown something new; the sale's status did not change. */
export interface PapersMoved {
  readonly kind: 'papers_moved';
}

/** The mails to the insured go to another address from now on. */
export interface EmailCorrected {
  readonly kind: 'email_corrected';
}

/** A charge brought money that the sale did not need. */
export interface MoneyReceived {
  readonly kind: 'money_received';
  readonly chargeId: string;
  readonly amount: Cents;
}

/**
 * `refund_moved`: a refund was ordered or refused, or what bars it came or went. `refund_undone`: one
 * that was ordered or returned has failed. `receipt_undone`: cash that was noted by hand is noted no
 * more. `payment_unconfirmed`: the gateway does not show the money any more. `payment_accepted`: an
 * operator has decided that the rest is enough.
 */
export interface RefundMoved {
  readonly kind:
    | 'refund_moved'
    | 'refund_undone'
    | 'receipt_undone'
    | 'payment_unconfirmed'
    | 'payment_accepted';
  readonly chargeId?: string;
}

/** Money was returned to the payer. */
export interface MoneyReturned {
  readonly kind: 'money_returned';
  readonly chargeId?: string;
  readonly amount: Cents;
}

/** What can happen to a sale. */
export type SaleEvent =
  | Moved<Sale['status']>
  | PaymentMoved
  | PapersMoved
  | EmailCorrected
  | MoneyReceived
  | MoneyReturned
  | RefundMoved
  | RefundDue
  | Ignored;

export type SaleTransition<To extends Sale = Sale> = Transition<To, SaleEvent>;

/** What a report of a gateway makes of a sale. */
export type Outcome = SaleTransition | Refusal<TransitionRefusal | 'paid_in_future'>;

/** The sale stays as it is. */
export const ignored = (sale: Sale, because: Ignored['because']): Outcome =>
  moved(sale, { kind: 'ignored', because });

/** An instant and its day in the insured's time zone. */
export interface Moment {
  readonly on: CalendarDate;
  readonly at: Instant;
  /** The IOF table known at the instant. Default: `IOF_RATES`. */
  readonly iofRates?: readonly IofRate[];
}

/** Completes a transition with an event for each refund that becomes due by it. */
export const become = <To extends Sale>(
  from: Sale,
  state: To,
  ...events: [SaleEvent, ...SaleEvent[]]
): SaleTransition<To> => {
  const before = new Map(outstandingRefunds(from).map(({ chargeId, upTo }) => [chargeId, upTo]));
  const more = outstandingRefunds(state).filter(
    ({ chargeId, upTo }) => upTo > (before.get(chargeId) ?? 0),
  );
  return moved(
    state,
    ...events,
    ...more.map((refund) => ({ kind: 'refund_due' as const, ...refund })),
  );
};

export const step = <To extends Sale>(
  from: Sale,
  state: To,
  ...more: SaleEvent[]
): SaleTransition<To> => {
  const { status } = state;
  if (!(SALE_LIFECYCLE[from.status] as readonly Sale['status'][]).includes(status))
    checkLeaves(from.status, status, statusesBefore(status));
  return become(from, state, { kind: 'moved', from: from.status, to: status }, ...more);
};

const statusesBefore = (to: Sale['status']): readonly Sale['status'][] =>
  SALE_STATUSES.filter((from) => (SALE_LIFECYCLE[from] as readonly Sale['status'][]).includes(to));

type AmountRefusal = Refusal<'payment_amount_differs'>;

/** The payer has to pay at the payment's URL. */
export const awaitPayment = (
  sale: PendingSale,
  payment: AwaitedPayment,
): SaleTransition<AwaitingPaymentSale> | AmountRefusal =>
  payment.amount === sale.payment.amount
    ? step(sale, { ...sale, status: 'awaiting_payment', payment })
    : refuse('payment_amount_differs', sale.payment.amount);

/**
 * The service has received at least the price; more is due back. Refused if less came, or all of it
 * was returned already. `on`: the day of `bookedAt`, where it is known.
 */
export const paySale = (
  sale: UnpaidSale,
  report: ReceivedReport,
  bookedAt: Instant,
  on?: CalendarDate,
): SaleTransition<PaidSale> | Refusal<'payment_amount_differs' | 'payment_returned'> => {
  const { amount } = report;
  if (amount < sale.payment.amount) return refuse('payment_amount_differs', sale.payment.amount);
  const receipt = receivedBy(sale, report, bookedAt, on);
  if (receipt.returned === amount) return refuse('payment_returned');
  return payBy(sale, receipt, report, bookedAt);
};

type PaidHow = Pick<CollectedPayment, 'chargeId' | 'method' | 'paidOn' | 'alsoBy' | 'accepted'>;

/** The money of `receipt`, and of the charges `alsoBy`, pays the sale, whether it is the price or not. */
export const payBy = (
  sale: UnpaidSale,
  receipt: Receipt,
  { chargeId, method, paidOn, alsoBy = [], accepted }: PaidHow,
  bookedAt: Instant,
): SaleTransition<PaidSale> => {
  const { amount, gateway } = sale.payment;
  return step(sale, {
    ...sale,
    status: 'paid',
    bookedAt,
    payment: {
      status: 'approved',
      amount,
      collectedBy: 'service',
      chargeId,
      ...(gateway !== undefined && { gateway }),
      ...(method && { method }),
      ...(alsoBy.length > 0 && { alsoBy }),
      ...(accepted !== undefined && { accepted }),
      paidOn,
    },
    receipts: withReceipt(sale, receipt),
  });
};

/**
 * Records that the insurer has issued the policy of a paid sale.
 *
 * @example issueSale(paid, policy).events // [{ kind: 'moved', from: 'paid', to: 'issued' }]
 * @throws TypeError if the sale is not paid
 */
export const issueSale = (sale: PaidSale, policy: ActivePolicy): SaleTransition<IssuedSale> =>
  step(sale, { ...sale, status: 'issued', policy });

interface Closing<Ended extends Payment> {
  readonly closedAt: Instant;
  /** The new payment. Default: the payment stays as it is. */
  readonly payment?: Ended;
}

/**
 * Ends an unpaid sale: the bank or the insurer declined, or the payment was returned.
 *
 * @example refuseSale(pending, { reason: 'declined', closedAt: at }).state.status // 'refused'
 * @throws TypeError if the sale is not unpaid
 */
export const refuseSale = (
  sale: UnpaidSale,
  {
    reason,
    closedAt,
    payment,
  }: Closing<DeclinedPayment | ExpiredPayment> & { readonly reason: RefusedReason },
): SaleTransition<RefusedSale> =>
  step(sale, { ...sale, status: 'refused', payment: payment ?? sale.payment, reason, closedAt });

/**
 * Ends a sale that the payer did not pay in time.
 *
 * @example expireSale(awaiting, { closedAt: at }).state.status // 'expired'
 * @throws TypeError if the sale is not unpaid
 */
export const expireSale = (
  sale: UnpaidSale,
  { closedAt, payment }: Closing<ExpiredPayment>,
): SaleTransition<ExpiredSale> =>
  step(sale, { ...sale, status: 'expired', payment: payment ?? sale.payment, closedAt });
