import type { Collector } from '../catalogue/product.ts';
import type { Cents } from '../money/money.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import { follow, type Ignored, type Lifecycle, type Moved, moved, type Transition } from './transition.ts';

export type PaymentMethod = 'credit' | 'debit' | 'pix' | 'boleto';

interface Due {
  /** The whole amount, IOF included. */
  readonly amount: Cents;
}

interface Charged extends Due {
  /** The gateway's own name for the charge; absent where the channel collected. */
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
export interface AwaitedPayment extends Charged {
  readonly status: 'awaited';
  readonly chargeId: string;
  readonly url: string;
}

export interface ApprovedPayment extends Charged {
  readonly status: 'approved';
  readonly collectedBy: Collector;
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

export interface DeclinedPayment extends Charged {
  readonly status: 'declined';
  readonly reason: string;
}

export interface ExpiredPayment extends Charged {
  readonly status: 'expired';
}

export interface RefundedPayment extends Charged {
  readonly status: 'refunded';
  /** What went back to the payer: the whole amount, or a part of it. */
  readonly refunded: Cents;
  readonly refundedAt: Instant;
}

/** What is known of the money. An outcome that nobody knows is a state, too. */
export type Payment =
  | RequestedPayment
  | UnknownPayment
  | AwaitedPayment
  | ApprovedPayment
  | DeclinedPayment
  | ExpiredPayment
  | RefundedPayment;

/** Money outranks words: a payment confirmed after the charge had lapsed or been declined has been made all the same. */
const LIFECYCLE: Lifecycle<Payment['status']> = {
  requested: ['unknown', 'awaited', 'approved', 'declined'],
  unknown: ['awaited', 'approved', 'declined'],
  awaited: ['approved', 'declined', 'expired'],
  declined: ['approved'],
  expired: ['approved'],
  approved: ['refunded'],
  refunded: [],
};

/** The payer was charged a second time, and must have this charge back. */
export interface ChargedAgain {
  readonly kind: 'charged_again';
  readonly chargeId: string;
  readonly amount: Cents;
}

/** Takes over what the gateway reports, unless it is old news; a report of another amount is refused. */
export const followPayment = (
  known: Payment,
  reported: Payment,
): Transition<Payment, Moved<Payment['status']> | Ignored | ChargedAgain> | Refusal<PaymentRefusal> => {
  if (reported.amount !== known.amount) return refuse('payment_amount_differs', known.amount);
  const again = chargedAgain(known, reported);
  if (again !== undefined) return moved(known, again);
  return follow(LIFECYCLE, known, reported);
};

type PaymentRefusal = 'payment_amount_differs' | 'transition_not_possible';

const chargedAgain = (known: Payment, reported: Payment): ChargedAgain | undefined => {
  const paidBefore = known.status === 'approved' || known.status === 'refunded';
  if (!paidBefore || reported.status !== 'approved' || reported.chargeId === undefined) return undefined;
  const { chargeId, amount } = reported;
  return chargeId === known.chargeId ? undefined : { kind: 'charged_again', chargeId, amount };
};
