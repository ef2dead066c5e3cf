import type { CancellationFigures } from '../rules/cancellation.ts';
import type { Instant } from '../values/calendar.ts';
import type { Email } from '../values/contact.ts';
import { ZERO } from '../values/money.ts';
import type { Issuance } from './issuance.ts';
import type {
  ApprovedPayment,
  AwaitedPayment,
  DeclineReason,
  Payment,
  Receipt,
  RequestedPayment,
  UnknownPayment,
} from './payment.ts';
import type { ActivePolicy, CancelledPolicy } from './policy.ts';
import type { SaleTerms } from './terms.ts';

interface RegisteredSale {
  readonly id: number;
  /** An unguessable id for status queries. */
  readonly ticket: string;
  readonly registeredAt: Instant;
  /**
   * Number of stored changes, counted by the store. A store refuses changes made from an older
   * version.
   */
  readonly version: number;
  /** When the store last stored a change, by its own clock; absent: not since registration. */
  readonly updatedAt?: Instant;
  readonly terms: SaleTerms;
  /** The client's own key of the request; absent if it sent none. */
  readonly idempotencyKey?: string;
  /** Money received and returned, per charge. */
  readonly receipts: readonly Receipt[];
  /** Absent until the insurer is asked. */
  readonly issuance?: Issuance;
  /** At most one for each step. */
  readonly attempts?: readonly Attempt[];
  /** Corrected addresses of the insured, the last one in use. Absent: that of the terms is. */
  readonly corrections?: readonly EmailCorrection[];
}

/** A corrected e-mail address of the insured. */
export interface EmailCorrection {
  readonly email: Email;
  readonly at: Instant;
}

/** A provider was asked and its answer is unknown: the step may have been taken or not. */
export interface Attempt {
  readonly step: SaleStep;
  readonly since: Instant;
}

/** The refund of a charge, by the gateway's id of it. Each is a step of its own. */
export type RefundStep = `refund ${string}`;

/** The steps in which providers are asked. */
export type SaleStep =
  | 'quote'
  | 'propose'
  | 'charge'
  | 'capture'
  | 'issue'
  | 'withdraw_charge'
  | RefundStep
  | 'withdraw_papers';

/** Registered; not charged, or the outcome of the charge is unknown. */
export interface PendingSale extends RegisteredSale {
  readonly status: 'pending';
  readonly payment: RequestedPayment | UnknownPayment;
}

export interface AwaitingPaymentSale extends RegisteredSale {
  readonly status: 'awaiting_payment';
  readonly payment: AwaitedPayment;
}

interface BookedSale extends RegisteredSale {
  /** When the payment became known and was booked. */
  readonly bookedAt: Instant;
}

export interface PaidSale extends BookedSale {
  readonly status: 'paid';
  readonly payment: ApprovedPayment;
}

export interface IssuedSale extends BookedSale {
  readonly status: 'issued';
  readonly payment: ApprovedPayment;
  readonly policy: ActivePolicy;
}

/**
 * Why a sale was refused. `not_charged`: a provider did not answer, and the card is gone.
 * `payment_returned`: the whole payment went back before it was booked. `premium_differs`: the
 * insurer quoted another price.
 */
export type RefusedReason =
  | DeclineReason
  | 'not_charged'
  | 'price_over'
  | 'payment_returned'
  | 'insurer_rejected'
  | 'premium_differs';

/** Declined by the payer's bank or by the insurer, or paid and returned before it was issued. */
export interface RefusedSale extends RegisteredSale {
  readonly status: 'refused';
  readonly payment: Payment;
  readonly reason: RefusedReason;
  readonly closedAt: Instant;
}

/** The payer did not pay in time. */
export interface ExpiredSale extends RegisteredSale {
  readonly status: 'expired';
  readonly payment: Payment;
  readonly closedAt: Instant;
}

interface Cancelled extends RegisteredSale {
  /** Absent if nothing was paid. */
  readonly bookedAt?: Instant;
  /** Absent if no policy was issued. */
  readonly policy?: CancelledPolicy;
  readonly cancelledAt: Instant;
  readonly cancellation: CancellationFigures;
}

/** Cancelled. `outstandingRefunds` tells what is still due. */
export interface CancelledSale extends Cancelled {
  readonly status: 'cancelled';
  readonly payment: Payment;
}

/** The refund of the charge that paid the sale has been returned. */
export interface RefundedSale extends Cancelled {
  readonly status: 'refunded';
  readonly payment: ApprovedPayment;
}

/**
 * A sale in one of its states. Each state is a type; a transition accepts only the states it may
 * leave.
 */
export type Sale =
  | PendingSale
  | AwaitingPaymentSale
  | PaidSale
  | IssuedSale
  | RefusedSale
  | ExpiredSale
  | CancelledSale
  | RefundedSale;

/** The states, in the order in which a sale passes through them; none leads back. */
export const SALE_STATUSES = [
  'pending',
  'awaiting_payment',
  'paid',
  'issued',
  'refused',
  'expired',
  'cancelled',
  'refunded',
] as const satisfies readonly Sale['status'][];

/**
 * The statuses that each status can become. A cancelled sale may be refunded, and that be undone.
 *
 * @example SALE_LIFECYCLE.issued // ['cancelled', 'refunded']
 */
export const SALE_LIFECYCLE = {
  pending: ['awaiting_payment', 'paid', 'refused', 'expired', 'cancelled'],
  awaiting_payment: ['paid', 'refused', 'expired', 'cancelled'],
  paid: ['issued', 'cancelled', 'refunded'],
  issued: ['cancelled', 'refunded'],
  refused: [],
  expired: [],
  cancelled: ['refunded'],
  refunded: ['cancelled'],
} as const satisfies { readonly [From in Sale['status']]: readonly Sale['status'][] };

/** A sale that was not paid yet. */
export type UnpaidSale = PendingSale | AwaitingPaymentSale;

export const isUnpaid = (sale: Sale): sale is UnpaidSale =>
  sale.status === 'pending' || sale.status === 'awaiting_payment';

/** A sale at registration: paid if the channel collected, otherwise pending. */
export type BornSale = PaidSale | PendingSale;

/** A sale that the store has not numbered yet. */
export type NewSale = Omit<PaidSale, 'id' | 'version'> | Omit<PendingSale, 'id' | 'version'>;

/**
 * Makes a new sale on its terms: paid if the channel collected, otherwise pending.
 *
 * @param gateway the name of the gateway that will be asked for the charge
 * @example createSale('01J0000000', at, terms).status // 'paid'
 */
export const createSale = (
  ticket: string,
  registeredAt: Instant,
  terms: SaleTerms,
  gateway?: string,
): NewSale => {
  const amount = terms.quote.premium.total;
  const sale = { ticket, registeredAt, terms };
  return terms.payment.collectedBy === 'channel'
    ? {
        ...sale,
        status: 'paid',
        bookedAt: registeredAt,
        payment: { status: 'approved', amount, ...terms.payment },
        receipts: [{ amount, returned: ZERO }],
      }
    : {
        ...sale,
        status: 'pending',
        payment: { status: 'requested', amount, ...(gateway && { gateway }) },
        receipts: [],
      };
};

/**
 * Gives a new sale its id. @example numbered(createSale('01J0000000', at, terms), 7).version // 1
 */
export const numbered = (sale: NewSale, id: number): BornSale => ({ ...sale, id, version: 1 });

/** The sale as it is stored after one more change. */
export const nextVersion = <State extends Sale>(sale: State): State => ({
  ...sale,
  version: sale.version + 1,
});

/** The sale as it was registered, whatever happened since. */
export const asRegistered = (sale: Sale): BornSale => {
  const { id, ticket, registeredAt, terms, idempotencyKey } = sale;
  const born = numbered(createSale(ticket, registeredAt, terms), id);
  return { ...born, ...(idempotencyKey !== undefined && { idempotencyKey }) };
};
