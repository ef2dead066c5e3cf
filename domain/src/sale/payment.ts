import type { Cents } from '../money/money.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';

export type PaymentMethod = 'credit' | 'debit' | 'pix' | 'boleto';

interface Due {
  /** The whole amount, IOF included. */
  readonly amount: Cents;
  /** The gateway's id of the charge; absent if there is no charge, or its id is unknown. */
  readonly chargeId?: string;
}

/** The gateway has not been asked yet. */
export interface RequestedPayment extends Due {
  readonly status: 'requested';
}

/** The gateway was asked and its answer was lost. Look for the charge; never charge again. */
export interface UnknownPayment extends Due {
  readonly status: 'unknown';
}

/** Charged; the payer has to pay at `url`. */
export interface AwaitedPayment extends Due {
  readonly status: 'awaited';
  readonly chargeId: string;
  readonly url: string;
  /** When the service closes an unpaid charge. */
  readonly until?: Instant;
}

/** The payer did not pay in time. */
export interface ExpiredPayment extends Due {
  readonly status: 'expired';
}

/**
 * Why a charge was finally declined. `declined`: the bank gave no other reason. `payer_refused`:
 * on the payment page. `gateway_refused`: the gateway did not accept the order.
 */
export type DeclineReason =
  | 'declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'payer_refused'
  | 'gateway_refused';

/**
 * Finally declined by the payer's bank or the payer. A try that may be repeated is not declined.
 */
export interface DeclinedPayment extends Due {
  readonly status: 'declined';
  readonly reason: DeclineReason;
}

interface Approved extends Due {
  readonly status: 'approved';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

/**
 * Why a gateway cannot return a payment now. In a dispute, the payer's bank may take it back, and a
 * refund would pay twice. Cash never reached the gateway.
 */
export interface RefundBar {
  readonly by: 'dispute' | 'paid_in_cash';
  /** The last day on which the gateway takes papers for the dispute. */
  readonly respondBy?: CalendarDate;
}

/** Paid to the service, through its gateway. */
export interface CollectedPayment extends Approved {
  readonly collectedBy: 'service';
  readonly chargeId: string;
}

/** Paid, to the channel or to the service. */
export type ApprovedPayment =
  | CollectedPayment
  | (Approved & { readonly collectedBy: 'channel'; readonly chargeId?: never });

/** State of the payment. An unknown outcome is a state too. Refunds are in the receipts. */
export type Payment =
  | RequestedPayment
  | UnknownPayment
  | AwaitedPayment
  | ExpiredPayment
  | DeclinedPayment
  | ApprovedPayment;

/**
 * Money received by one charge, and how much of it has left for the payer. Both only grow, so the
 * order and repetition of reports do not matter. What is ordered and what bars it may come and go:
 * whoever orders a refund asks the gateway first.
 */
export interface Receipt {
  /** Absent: the channel collected. */
  readonly chargeId?: string;
  readonly amount: Cents;
  readonly returned: Cents;
  /** Total ordered at the gateway, `returned` included; absent: nothing is on its way. */
  readonly ordered?: Cents;
  readonly barred?: RefundBar;
}

/** The money of a charge came. */
export interface ReceivedReport extends CollectedPayment {
  readonly barred?: RefundBar;
}

/** Money returned to the payer of a charge; without `chargeId`, by the channel. */
export interface ReturnReport extends Due {
  readonly status: 'returned';
  /** Total that has left of this charge. */
  readonly returned: Cents;
  /** As in the receipt. */
  readonly ordered?: Cents;
}

/** A gateway's report on one charge. */
export type PaymentReport =
  | UnknownPayment
  | AwaitedPayment
  | ExpiredPayment
  | DeclinedPayment
  | ReceivedReport
  | ReturnReport;
