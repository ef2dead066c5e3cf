import { ZERO } from '../money/money.ts';
import type { Instant } from '../values/calendar.ts';
import type { CancellationFigures } from './cancellation.ts';
import type { Issuance } from './issuance.ts';
import type {
  ApprovedPayment,
  AwaitedPayment,
  Payment,
  Receipt,
  RequestedPayment,
  UnknownPayment,
} from './payment.ts';
import type { ActivePolicy, CancelledPolicy } from './policy.ts';
import type { SaleTerms } from './terms.ts';

interface RegisteredSale {
  readonly id: number;
  /** An unguessable name for the sale, for status queries. */
  readonly ticket: string;
  readonly registeredAt: Instant;
  /** Counts the changes stored, by whoever stores them: a transition leaves it alone, and a writer holding an older one is refused. */
  readonly version: number;
  readonly terms: SaleTerms;
  /** What came in and went back, charge by charge. */
  readonly receipts: readonly Receipt[];
  /** Absent as long as the insurer has not been asked. */
  readonly issuance?: Issuance;
  /** Of each step one at most. */
  readonly attempts?: readonly Attempt[];
}

/** What a provider was asked, as long as its answer is not known: it may have been done, or not. */
export interface Attempt {
  readonly step: SaleStep;
  readonly since: Instant;
}

/** What has to be asked of others on the way of a sale. */
export type SaleStep =
  | 'quote'
  | 'propose'
  | 'charge'
  | 'issue'
  | 'withdraw_charge'
  | 'refund'
  | 'withdraw_papers';

/** Registered; nobody has been asked for money yet, or the answer is not known. */
export interface PendingSale extends RegisteredSale {
  readonly status: 'pending';
  readonly payment: RequestedPayment | UnknownPayment;
}

export interface AwaitingPaymentSale extends RegisteredSale {
  readonly status: 'awaiting_payment';
  readonly payment: AwaitedPayment;
}

interface BookedSale extends RegisteredSale {
  /** When it was known to be paid, and came into the books. */
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

/** Declined by the payer's bank or by the insurer, or paid and given back, before it could be issued. */
export interface RefusedSale extends RegisteredSale {
  readonly status: 'refused';
  readonly payment: Payment;
  readonly reason: string;
  readonly closedAt: Instant;
}

/** Nobody paid in time. */
export interface ExpiredSale extends RegisteredSale {
  readonly status: 'expired';
  readonly payment: Payment;
  readonly closedAt: Instant;
}

interface Cancelled extends RegisteredSale {
  /** Absent where nothing had been paid. */
  readonly bookedAt?: Instant;
  /** Absent where no policy had been issued. */
  readonly policy?: CancelledPolicy;
  readonly cancelledAt: Instant;
  readonly cancellation: CancellationFigures;
}

/** Cancelled; `outstandingRefunds` says what is still to go back, if anything. */
export interface CancelledSale extends Cancelled {
  readonly status: 'cancelled';
  readonly payment: Payment;
}

/** What was due of the charge that paid it has gone back. */
export interface RefundedSale extends Cancelled {
  readonly status: 'refunded';
  readonly payment: ApprovedPayment;
}

/** A sale in one of its states; each state is a type, and a transition takes only the states it may leave. */
export type Sale =
  | PendingSale
  | AwaitingPaymentSale
  | PaidSale
  | IssuedSale
  | RefusedSale
  | ExpiredSale
  | CancelledSale
  | RefundedSale;

/** In the order in which a sale may pass through them; none leads to an earlier one. */
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

/** A sale as it is born: paid where the channel took the money, pending where the service is to take it. */
export type BornSale = PaidSale | PendingSale;

/** A sale that the store has not numbered yet. */
export type NewSale = Omit<PaidSale, 'id' | 'version'> | Omit<PendingSale, 'id' | 'version'>;

/** A sale on its terms. */
export const newSale = (ticket: string, registeredAt: Instant, terms: SaleTerms): NewSale => {
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
    : { ...sale, status: 'pending', payment: { status: 'requested', amount }, receipts: [] };
};

/** The sale under its number, in its first version. */
export const numbered = (sale: NewSale, id: number): BornSale => ({ ...sale, id, version: 1 });

/** The sale as it is stored after one more change. */
export const nextVersion = <State extends Sale>(sale: State): State => ({
  ...sale,
  version: sale.version + 1,
});

/** The sale as it was when it was registered, whatever has become of it since. */
export const asRegistered = ({ id, ticket, registeredAt, terms }: Sale): BornSale =>
  numbered(newSale(ticket, registeredAt, terms), id);
