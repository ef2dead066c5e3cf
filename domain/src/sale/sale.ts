import type { Offer } from '../catalogue/offer.ts';
import { type Cents, ZERO } from '../money/money.ts';
import type { Quote } from '../pricing/quote.ts';
import type { Address } from '../values/address.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import type { Email, Phone } from '../values/contact.ts';
import type { TaxId } from '../values/tax-id.ts';
import type { CancellationFigures, CancellationRule } from './cancellation.ts';
import type {
  ApprovedPayment,
  AwaitedPayment,
  Payment,
  PaymentMethod,
  Receipt,
  RequestedPayment,
  UnknownPayment,
} from './payment.ts';
import type { CoveragePeriod } from './period.ts';
import type { ActivePolicy, CancelledPolicy } from './policy.ts';

/** The person or company protected. */
export interface Insured {
  readonly name: string;
  readonly socialName?: string;
  readonly taxId: TaxId;
  /** Of a company, its foundation. */
  readonly birthDate?: CalendarDate;
  readonly email: Email;
  readonly phone?: Phone;
  readonly address?: Address;
}

/** A payment that the channel took before it registered the sale. */
export interface ChannelPayment {
  readonly collectedBy: 'channel';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

/** A payment that the service is to take. */
export interface ServicePayment {
  readonly collectedBy: 'service';
  readonly installments: number;
}

/** What was sold, to whom, on what terms. Frozen when the sale is made: a later change of the catalogue leaves it alone. */
export interface SaleTerms {
  readonly channelLink: string;
  readonly clientId: string;
  readonly product: { readonly id: number; readonly code: string; readonly line: string };
  readonly plan: { readonly id: number; readonly code: string };
  readonly coverages: readonly { readonly id: number; readonly code: string }[];
  readonly insured: Insured;
  /** What is protected, in the product's own words: the event and ticket, the device, the trip. */
  readonly insuredObject: Readonly<Record<string, string>>;
  readonly insuredAmount?: Cents;
  readonly quote: Quote;
  readonly period: CoveragePeriod;
  readonly cancellation: CancellationRule;
  readonly payment: ChannelPayment | ServicePayment;
  readonly soldOn: CalendarDate;
}

/** What an offer and its quote do not say yet of the terms of a sale. */
export type SoldTerms = Omit<SaleTerms, 'product' | 'plan' | 'coverages' | 'quote' | 'cancellation'>;

/** The terms of a sale: of the catalogue, only what the sale must remember. */
export const saleTerms = ({ product, plan, coverages }: Offer, quote: Quote, sold: SoldTerms): SaleTerms => ({
  ...sold,
  product: { id: product.id, code: product.code, line: product.line },
  plan: { id: plan.id, code: plan.code },
  coverages: coverages.map(({ id, code }) => ({ id, code })),
  quote,
  cancellation: product.cancellation,
});

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
}

/** Registered; nobody has been asked for money yet, or the answer is not known. */
export interface PendingSale extends RegisteredSale {
  readonly status: 'pending';
  readonly payment: RequestedPayment | UnknownPayment;
}

export interface AwaitingPaymentSale extends RegisteredSale {
  readonly status: 'awaiting_payment';
  readonly payment: AwaitedPayment;
}

export interface PaidSale extends RegisteredSale {
  readonly status: 'paid';
  readonly payment: ApprovedPayment;
}

export interface IssuedSale extends RegisteredSale {
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
        payment: { status: 'approved', amount, ...terms.payment },
        receipts: [{ amount, returned: ZERO }],
      }
    : { ...sale, status: 'pending', payment: { status: 'requested', amount }, receipts: [] };
};

/** The sale under its number, in its first version. */
export const numbered = (sale: NewSale, id: number): BornSale => ({ ...sale, id, version: 1 });

/** The sale as it was when it was registered, whatever has become of it since. */
export const asRegistered = ({ id, ticket, registeredAt, terms }: Sale): BornSale =>
  numbered(newSale(ticket, registeredAt, terms), id);
