import type { Cents } from '../money/money.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import { follow, type Ignored, type Lifecycle, type Moved, moved, type Transition } from './transition.ts';

export type PaymentMethod = 'credit' | 'debit' | 'pix' | 'boleto';

/** A charge made besides the one that paid: its money must go back, and then has. */
export interface ExtraCharge {
  readonly chargeId: string;
  readonly amount: Cents;
  readonly status: 'to_refund' | 'refunded';
}

interface Due {
  /** The whole amount, IOF included. */
  readonly amount: Cents;
  /** The gateway's own name for the charge; absent where there is none, or none is known. */
  readonly chargeId?: string;
  readonly extraCharges?: readonly ExtraCharge[];
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
}

interface Approved extends Due {
  readonly status: 'approved';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

/** The money is there: with the channel, or with the service through its gateway. */
export type ApprovedPayment =
  | (Approved & { readonly collectedBy: 'channel' })
  | (Approved & { readonly collectedBy: 'service'; readonly chargeId: string });

/** The last word of the payer's bank, or the payer's own; a try that may be repeated is no decline. */
export interface DeclinedPayment extends Due {
  readonly status: 'declined';
  readonly reason: string;
}

export interface ExpiredPayment extends Due {
  readonly status: 'expired';
}

export interface RefundedPayment extends Due {
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
  requested: ['unknown'],
  unknown: ['awaited'],
  awaited: ['expired'],
  expired: ['declined'],
  declined: ['approved'],
  approved: ['refunded'],
  refunded: [],
};

/** The payer was charged a second time, and must have this charge back. */
export interface ChargedAgain {
  readonly kind: 'charged_again';
  readonly chargeId: string;
  readonly amount: Cents;
}

/** A second charge has gone back to the payer. */
export interface ExtraChargeRefunded {
  readonly kind: 'extra_charge_refunded';
  readonly chargeId: string;
}

type PaymentEvent = Moved<Payment['status']> | Ignored | ChargedAgain | ExtraChargeRefunded;

type Outcome =
  | Transition<Payment, PaymentEvent>
  | Refusal<'payment_amount_differs' | 'refund_amount_differs' | 'transition_not_possible'>;

/**
 * Takes over what the gateway reports, unless it is old news. A report of another amount is refused; one of another
 * charge never moves this one, unless it is the charge that paid: what was paid twice is remembered until it is refunded.
 */
export const followPayment = (known: Payment, reported: Payment): Outcome => {
  if (reported.amount !== known.amount) return refuse('payment_amount_differs', known.amount);
  const { chargeId } = known;
  const isPaid = known.status === 'approved' || known.status === 'refunded';
  // A report that names no charge speaks of the known one; a payment without a charge was made to the channel.
  const isOther = reported.chargeId !== undefined && reported.chargeId !== chargeId && (isPaid || chargeId !== undefined);
  if (isOther && isPaid) return ofExtraCharge(known, reported);
  if (isOther && reported.status !== 'approved') return moved(known, { kind: 'ignored', because: 'other_charge' });
  return follow(LIFECYCLE, known, carriedOver(known, reported));
};

/** What is known of the charges, and is not said again, is still true. */
export const carriedOver = <Later extends Payment>({ chargeId, extraCharges }: Payment, later: Later): Later => ({
  ...(chargeId !== undefined && { chargeId }),
  ...(extraCharges !== undefined && { extraCharges }),
  ...later,
});

const ofExtraCharge = (known: Payment, reported: Payment): Outcome => {
  const { extraCharges = [] } = known;
  const { chargeId = '', amount } = reported;
  const extra = extraCharges.find((each) => each.chargeId === chargeId);
  if (reported.status === 'approved' && extra === undefined) {
    const state = { ...known, extraCharges: [...extraCharges, { chargeId, amount, status: 'to_refund' as const }] };
    return moved(state, { kind: 'charged_again', chargeId, amount });
  }
  if (reported.status === 'refunded' && extra?.status === 'to_refund') {
    if (reported.refunded !== amount) return refuse('refund_amount_differs', amount);
    const refunded = { ...extra, status: 'refunded' as const };
    const state = { ...known, extraCharges: extraCharges.map((each) => (each === extra ? refunded : each)) };
    return moved(state, { kind: 'extra_charge_refunded', chargeId });
  }
  return moved(known, { kind: 'ignored', because: extra === undefined ? 'other_charge' : 'repeated' });
};
