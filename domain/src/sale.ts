import type { Address } from './address.ts';
import type { CalendarDate } from './calendar.ts';
import type { Cents } from './money.ts';
import type { CoveragePeriod } from './period.ts';
import type { Quote } from './quote.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { TaxId } from './tax-id.ts';

/** A point in time, ISO 8601 in UTC: `2026-11-20T12:00:00.000Z`. */
export type Instant = string;

/** The person or company protected. */
export interface Insured {
  readonly name: string;
  readonly socialName?: string;
  readonly taxId: TaxId;
  readonly birthDate: CalendarDate;
  readonly email: string;
  /** As the channel sent it. */
  readonly phone: string;
  readonly address?: Address;
}

export type PaymentMethod = 'credit' | 'debit' | 'pix' | 'boleto';

/** A payment that the channel took before it registered the sale. */
export interface ChannelPayment {
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
}

/** What was sold, to whom, on what terms. Frozen when the sale is made: a later change of the catalogue leaves it alone. */
export interface SaleTerms {
  readonly channelLink: string;
  readonly clientId: string;
  readonly product: { readonly id: number; readonly code: string; readonly line: string };
  readonly plan: { readonly id: number; readonly code: string };
  readonly insured: Insured;
  /** What is protected, in the product's own words: the event and ticket, the device, the trip. */
  readonly insuredObject: Readonly<Record<string, string>>;
  readonly insuredAmount: Cents;
  readonly quote: Quote;
  readonly period: CoveragePeriod;
  readonly payment: ChannelPayment;
  readonly soldOn: CalendarDate;
}

interface RegisteredSale {
  readonly id: number;
  /** An unguessable name for the sale, for status queries. */
  readonly ticket: string;
  readonly registeredAt: Instant;
  /** Counts the changes stored; a writer holding an older one is refused. */
  readonly version: number;
  readonly terms: SaleTerms;
}

export interface PaidSale extends RegisteredSale {
  readonly status: 'paid';
}

export interface CancelledSale extends RegisteredSale {
  readonly status: 'cancelled';
  readonly cancelledAt: Instant;
}

/** A sale in one of its states; each state is a type, and a transition takes only the states it may leave. */
export type Sale = PaidSale | CancelledSale;

/** A sale that the store has not numbered yet. */
export type NewSale = Omit<PaidSale, 'id' | 'version'>;

/** A sale whose payment the channel took is born paid. */
export const paidOutside = (ticket: string, registeredAt: Instant, terms: SaleTerms): NewSale => ({
  ticket,
  registeredAt,
  terms,
  status: 'paid',
});

export const cancel = (sale: PaidSale, cancelledAt: Instant): CancelledSale => ({ ...sale, status: 'cancelled', cancelledAt });

/** The sale as it was when it was registered, whatever has become of it since. */
export const asRegistered = ({ id, ticket, registeredAt, terms }: Sale): PaidSale => ({
  id,
  ticket,
  registeredAt,
  terms,
  version: 1,
  status: 'paid',
});

/** The days a sale brings, as far as they are known. */
export interface DatesToCheck {
  readonly paidOn?: CalendarDate | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly birthDate?: CalendarDate | undefined;
}

/** Every rule that the known dates break: paid by today, an event not before its payment, born before today. */
export const dateRefusals = ({ paidOn, eventOn, birthDate }: DatesToCheck, today: CalendarDate): readonly Refusal[] => {
  const refusals: Refusal[] = [];
  if (paidOn !== undefined && paidOn > today) refusals.push(refuse('paid_in_future'));
  if (paidOn !== undefined && eventOn !== undefined && eventOn < paidOn) refusals.push(refuse('event_before_payment'));
  if (birthDate !== undefined && birthDate >= today) refusals.push(refuse('born_in_future'));
  return refusals;
};
