import type { Offer } from '../catalogue/offer.ts';
import { type Installment, splitIntoInstallments } from '../pricing/installments.ts';
import type { IofClass } from '../pricing/iof.ts';
import type { Quote } from '../quoting/quote.ts';
import { type DateRefusal, isRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import type { CancellationRule } from '../rules/cancellation.ts';
import type { CoveragePeriod } from '../rules/period.ts';
import type { Address } from '../values/address.ts';
import { addMonths, type CalendarDate, type Instant } from '../values/calendar.ts';
import type { Email, Phone } from '../values/contact.ts';
import type { JsonObject } from '../values/json.ts';
import type { Cents } from '../values/money.ts';
import type { TaxId } from '../values/tax-id.ts';
import type { PaymentMethod } from './payment.ts';

/** The insured person or company. */
export interface Insured {
  readonly name: string;
  readonly socialName?: string;
  readonly taxId: TaxId;
  /** A company's foundation date. */
  readonly birthDate?: CalendarDate;
  readonly email: Email;
  readonly phone?: Phone;
  readonly address?: Address;
}

/** Another person covered by the insurance. */
export interface AdditionalInsured {
  readonly name: string;
  readonly taxId: TaxId;
  readonly birthDate: CalendarDate;
  readonly email?: Email;
  readonly phone?: Phone;
}

/** A payment that the channel collected before it registered the sale. */
export interface ChannelPayment {
  readonly collectedBy: 'channel';
  readonly method?: PaymentMethod;
  readonly paidOn: CalendarDate;
  /** Number of installments with the channel; absent if not declared. */
  readonly installments?: number;
}

/**
 * What the insurer does before money is taken. `before_payment`: it gets the proposal. `accepted`: it
 * accepts the proposal. `authorized`: it issues the policy; the card is authorised before, and
 * captured afterwards.
 */
export type Underwriting = 'before_payment' | 'accepted' | 'authorized';

/** A payment that the service collects. */
export interface ServicePayment {
  readonly collectedBy: 'service';
  readonly installments: number;
  /** Absent if the payer chooses on the gateway's page. */
  readonly method?: 'credit' | 'boleto';
  /** Due date of the first installment; by default the day of the sale. */
  readonly firstDueOn?: CalendarDate;
  /** The address of the channel to which the payment page leads the payer back. */
  readonly returnUrl?: string;
  /** What the insurer does before money is taken. Absent: nothing. */
  readonly underwriting?: Underwriting;
}

/** How the customer accepted the terms of the insurance, as the channel recorded it. */
export interface Acceptance {
  readonly acceptedAt: Instant;
  /** The channel's name for the text that was accepted. */
  readonly termsVersion: string;
  /** SHA-256, SHA-384 or SHA-512 of that text, in hexadecimal digits. */
  readonly termsHash: string;
  /** SHA-256 of the disclosure that the customer saw before, in hexadecimal digits. */
  readonly disclosureHash?: string;
  /** The customer's IPv4 or IPv6 address; absent if the customer accepted at a counter. */
  readonly ipAddress?: string;
  /** The customer's browser or app, by its own account. */
  readonly userAgent?: string;
}

/**
 * The texts that a channel may add to a sale for its own use, by name. They are frozen with the
 * terms, and no rule depends on them. None may be personal data, because events show them. What each
 * one is, and where it is shown, is described in `adapters/http/sales/channel-texts.ts`.
 */
export const CHANNEL_TEXTS = ['sellerCode'] as const satisfies readonly string[];

export type ChannelTextName = (typeof CHANNEL_TEXTS)[number];

/** The texts that a channel sent with a sale. */
export type ChannelTexts = { readonly [Name in ChannelTextName]?: string };

/** The texts among other properties. */
export const channelTextsOf = (
  source: {
    readonly [Name in ChannelTextName]?: string | null | undefined;
  },
): ChannelTexts => {
  const texts: Partial<Record<string, string>> = {};
  for (const name of CHANNEL_TEXTS) {
    const text = source[name] ?? undefined;
    if (text !== undefined) texts[name] = text;
  }
  return texts as ChannelTexts;
};

/**
 * What was sold, to whom and on what terms. Frozen at the sale: later changes of the catalogue do
 * not affect it.
 */
export interface SaleTerms extends ChannelTexts {
  readonly channelLink: string;
  /** The channel's name at the sale. */
  readonly channelName?: string;
  /** The version of the channel at the sale; absent if the catalogue keeps no versions. */
  readonly channelVersion?: number;
  readonly clientId: string;
  /** The channel's own id of the sale, unique within the channel. */
  readonly externalSaleId?: string;
  /**
   * `version` identifies the product as sold (registration, texts, limits); absent if the catalogue
   * keeps no versions. `name` is the product's name at the sale, for the payment page.
   */
  readonly product: {
    readonly id: number;
    readonly code: string;
    readonly line: string;
    readonly name?: string;
    readonly version?: number;
  };
  readonly plan: { readonly id: number; readonly code: string };
  readonly coverages: readonly { readonly id: number; readonly code: string }[];
  readonly insured: Insured;
  readonly additionalInsured?: readonly AdditionalInsured[];
  /** The insured object in the product's own fields: event and ticket, device, trip. */
  readonly insuredObject: JsonObject;
  readonly insuredAmount?: Cents;
  readonly quote: Quote;
  readonly period: CoveragePeriod;
  readonly cancellation: CancellationRule;
  readonly payment: ChannelPayment | ServicePayment;
  readonly soldOn: CalendarDate;
  /**
   * The class of the product, whose next rate ends the price. Absent if the channel collected.
   */
  readonly iofClass?: IofClass;
  /**
   * The last day of the price by the catalogue: another version had been announced when a link or
   * boleto was sold. Absent: the catalogue sets no end.
   */
  readonly priceUntil?: CalendarDate;
  /** Absent if the channel sent none. */
  readonly acceptance?: Acceptance;
  /** Whether the certificate waits. Absent: it is mailed as soon as it exists. */
  readonly certificateMail?: 'on_request';
}

/** The terms that offer and quote do not contain. */
export type SoldTerms = Omit<SaleTerms, keyof ReturnType<typeof termsOfOffer> | 'quote'>;

/**
 * Builds the terms of a sale. Keeps of the catalogue only what the sale depends on.
 *
 * @example saleTerms(offer, quote, sold).product.code // 'INGRESSO'
 */
export const saleTerms = (offer: Offer, quote: Quote, sold: SoldTerms): SaleTerms => ({
  ...sold,
  ...termsOfOffer(offer),
  quote,
});

const termsOfOffer = ({ product, plan, coverages, channelName, channelVersion }: Offer) => {
  const { id, code, line, name, version, cancellation, certificateMail } = product;
  return {
    ...(channelName !== undefined && { channelName }),
    ...(channelVersion !== undefined && { channelVersion }),
    product: { id, code, line, name, ...(version !== undefined && { version }) },
    plan: { id: plan.id, code: plan.code },
    coverages: coverages.map((coverage) => ({ id: coverage.id, code: coverage.code })),
    cancellation,
    ...(certificateMail === 'on_request' && { certificateMail }),
  } satisfies Partial<SaleTerms>;
};

/** What the insurer does before money is taken; undefined: nothing, or the channel collected. */
export const underwritingOf = ({ payment }: SaleTerms): Underwriting | undefined =>
  (payment as Partial<ServicePayment>).underwriting;

/** The installments of a sale that the service collects; none if the channel collected. */
export const installmentsOf = (terms: SaleTerms): readonly Installment[] => {
  const { payment, quote, soldOn } = terms;
  if (payment.collectedBy === 'channel') return [];
  const { installments: count, firstDueOn = soldOn } = payment;
  const split = { count, firstDueOn, offered: count, paid: 'once' } as const;
  const parts = splitIntoInstallments(quote.premium, split);
  return isRefusal(parts) ? [] : parts;
};

/** The dates of a sale, as far as known. */
export interface DatesToCheck {
  readonly soldOn?: CalendarDate | undefined;
  readonly paidOn?: CalendarDate | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly birthDate?: CalendarDate | undefined;
}

/** False if one of the dates is unknown. */
const isAfter = (one: CalendarDate | undefined, other: CalendarDate | undefined): boolean =>
  (one ?? '') > (other ?? '9');

/**
 * The rules that the known dates break: sold by today and not more than a year ago, paid by today,
 * event not before payment, born before today.
 */
export const dateRefusals = (
  { soldOn, paidOn, eventOn, birthDate }: DatesToCheck,
  today: CalendarDate,
): readonly Refusal<DateRefusal>[] => {
  const refusals: Refusal<DateRefusal>[] = [];
  if (isAfter(soldOn, today)) refusals.push(refuse('sold_in_future'));
  if (soldOn !== undefined && soldOn < addMonths(today, -12))
    refusals.push(refuse('sold_long_ago'));
  if (isAfter(paidOn, today)) refusals.push(refuse('paid_in_future'));
  if (isAfter(paidOn, eventOn)) refusals.push(refuse('event_before_payment'));
  if ((birthDate ?? '') >= today) refusals.push(refuse('born_in_future'));
  return refusals;
};
