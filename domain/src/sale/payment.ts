import type { Cents } from '../money/money.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';

export type PaymentMethod = 'credit' | 'debit' | 'pix' | 'boleto';

interface Due {
  /** The whole amount, IOF included. */
  readonly amount: Cents;
  /** The gateway's own name for the charge; absent where there is none, or none is known. */
  readonly chargeId?: string;
}

/** The gateway is about to be asked. */
export interface RequestedPayment extends Due {
  readonly status: 'requested';
}

/** The gateway was asked, and its answer was lost: neither paid nor unpaid. It must be asked again, never charged again. */
export interface UnknownPayment extends Due {
  readonly status: 'unknown';
}

/** Charged; a person has still to pay, at `url`. */
export interface AwaitedPayment extends Due {
  readonly status: 'awaited';
  readonly chargeId: string;
  readonly url: string;
  /** When the service closes it, if nobody has paid. */
  readonly until?: Instant;
}

/** Nobody paid in time. */
export interface ExpiredPayment extends Due {
  readonly status: 'expired';
}

/** The last word of the payer's bank, or the payer's own; a try that may be repeated is no decline. */
export interface DeclinedPayment extends Due {
  readonly status: 'declined';
  readonly reason: string;
}

interface Approved extends Due {
  readonly status: 'approved';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

/** The service has the money, by its gateway. */
export interface CollectedPayment extends Approved {
  readonly collectedBy: 'service';
  readonly chargeId: string;
}

/** The money is there: with the channel, or with the service. */
export type ApprovedPayment =
  | CollectedPayment
  | (Approved & { readonly collectedBy: 'channel'; readonly chargeId?: never });

/** How far the payment has come. An outcome that nobody knows is a state, too. What became of the money is in the receipts. */
export type Payment =
  | RequestedPayment
  | UnknownPayment
  | AwaitedPayment
  | ExpiredPayment
  | DeclinedPayment
  | ApprovedPayment;

/**
 * Money that came in by one charge, and how much of it has gone back. Both only grow, so that it does not matter in which
 * order, or how often, they are heard of.
 */
export interface Receipt {
  /** Absent: the channel took the money. */
  readonly chargeId?: string;
  readonly amount: Cents;
  readonly returned: Cents;
}

/** What has gone back to the payer of a charge; of one without a name, by the channel. */
export interface ReturnReport extends Due {
  readonly status: 'returned';
  /** All that went back of this charge up to now. */
  readonly returned: Cents;
}

/** What a gateway says of one charge. */
export type PaymentReport =
  | UnknownPayment
  | AwaitedPayment
  | ExpiredPayment
  | DeclinedPayment
  | CollectedPayment
  | ReturnReport;
