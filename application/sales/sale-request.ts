import {
  type Acceptance,
  type AdditionalInsured,
  type CalendarDate,
  type Cents,
  type ChannelPayment,
  type ChannelTexts,
  type Collector,
  type CoveragePeriod,
  type DateRefusal,
  type DeclaredFigures,
  type FigureRefusal,
  type InstallmentRefusal,
  type Insured,
  type Json,
  type JsonObject,
  type OfferRefusal,
  type PaymentMethod,
  type PeriodRefusal,
  type PriceRefusal,
  type ProductReference,
  parseDate,
  type QuoteRefusal,
  type Reference,
  type Refusal,
  type ServicePayment,
} from '#domain';

/** A part of a request that the rules of the catalogue and the calendar depend on. */
export type DraftPart =
  | 'product'
  | 'plan'
  | 'coverages'
  | 'collector'
  | 'soldOn'
  | 'paidOn'
  | 'eventOn'
  | 'period'
  | 'insuredAmount'
  | 'declaredPrice'
  | 'net'
  | 'total'
  | 'installments';

/**
 * What a channel asks for, perhaps incomplete: as much as is checked against the catalogue and the
 * calendar.
 */
export interface SaleDraft {
  /** Parts that cannot be read. A rule that depends on one of them is not checked. */
  readonly unknown?: ReadonlySet<DraftPart> | undefined;
  /** The channel named in the request; must be the client's. */
  readonly channelLink: string;
  /** Line of business; products of other lines are not offered. Absent: any line. */
  readonly line?: string | undefined;
  readonly product?: ProductReference | undefined;
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  readonly insured?: { readonly birthDate?: CalendarDate | undefined };
  /** The insured object, in the fields of a product's endpoint or of the product's own schema. */
  readonly insuredObject?: JsonObject | undefined;
  /** Whether `insuredObject`, if known, must match the product's schema. */
  readonly isHeldToSchema?: true | undefined;
  readonly eventOn?: CalendarDate | undefined;
  /** The day of the sale. Default: today. */
  readonly soldOn?: CalendarDate | undefined;
  readonly insuredAmount?: Cents | undefined;
  /** Price agreed with the insured, whatever the tariff; absent: the tariff decides. */
  readonly declaredPrice?: Cents | undefined;
  /**
   * Figures worked out by the channel, to be checked. With a `declared` tariff they include the
   * price.
   */
  readonly declaredFigures?: DeclaredFigures | undefined;
  readonly declaredPeriod?: CoveragePeriod | undefined;
  readonly payment: DraftPayment;
  /** The quote whose price the sale gets. What the sale leaves out is as quoted. */
  readonly quoteId?: string | undefined;
}

/** Whether one of these parts cannot be read. */
export const isUnknown = ({ unknown }: SaleDraft, ...parts: readonly DraftPart[]): boolean =>
  unknown !== undefined && parts.some((part) => unknown.has(part));

/** A payment, as far as it is known. */
export interface DraftPayment {
  readonly collectedBy?: Collector | undefined;
  readonly paidOn?: CalendarDate | undefined;
  readonly installments?: number | undefined;
  readonly method?: PaymentMethod | undefined;
  readonly returnUrl?: string | undefined;
}

/** A sale as a channel requests it, paid to the channel or to the service. */
export interface SaleRequest extends SaleDraft, ChannelTexts {
  /** Who sells: the authenticated client, and its channel. */
  readonly client: { readonly clientId: string; readonly channelLink: string | null };
  readonly product: ProductReference;
  readonly insured: Insured;
  readonly additionalInsured?: readonly AdditionalInsured[] | undefined;
  readonly insuredObject: JsonObject;
  readonly payment: ChannelPayment | ServicePayment;
  readonly acceptance?: Acceptance | undefined;
  readonly idempotency?: Idempotency | undefined;
}

/** The key of a request and its content: a key must always come with the same content. */
export interface Idempotency {
  /** Scope of the key: the client (for a request) or its channel (`externalSaleId`, for a sale). */
  readonly owner: 'client' | 'channel';
  readonly key: string;
  /** The client's key, sent together with the channel's. It names the same sale. */
  readonly requestKey?: string;
  readonly content: Json;
  /** The rules of comparison. Absent: values are the same only if they are written alike. */
  readonly rules?: ContentRules;
}

/** Tells the same content that is written otherwise. */
export interface ContentRules {
  /** The content with each value in its usual form. */
  usual(content: Json): Json;
  /** The part of a sale that a path names, where the terms of the sale tell whether it is the same. */
  partAt(path: string): 'product' | 'plan' | 'coverages' | undefined;
}

/** The keys of a request, without content. */
export type RequestName = Omit<Idempotency, 'content' | 'rules'>;

/** The client's key; undefined if the request has none. */
export const clientKeyOf = ({ owner, key, requestKey }: RequestName): string | undefined =>
  owner === 'client' ? key : requestKey;

/** Why a request cannot be sold on these terms. */
type TermsRefusal =
  | OfferRefusal
  | DateRefusal
  | PriceRefusal
  | FigureRefusal
  | PeriodRefusal
  | InstallmentRefusal
  | QuoteRefusal;

export type SaleRefusalKind =
  | TermsRefusal
  | 'channel_not_own'
  | 'quote_unknown'
  | 'return_url_not_registered';

/**
 * A reason. `expected`: the right amount in cents, if there is one. `at`: also `soldOn`, `paidOn`,
 * `eventOn`, `start` and `end` of the period; `declaredPrice`, `insuredAmount`, and `net`, `iof`
 * and `total` of the declared figures; `product`, `plan` and `coverages` of a quote.
 */
export interface SaleRefusal extends Refusal<SaleRefusalKind> {
  /** The right period, if there is one. */
  readonly period?: CoveragePeriod;
  /** The origins of the channel, if a `return_url` is of none of them. */
  readonly origins?: readonly string[];
}

/** Day on which the channel was paid; undefined if it is unknown or the service collects. */
export const paidOnIn = ({ payment }: Pick<SaleDraft, 'payment'>): CalendarDate | undefined =>
  payment.collectedBy === 'channel' ? payment.paidOn : undefined;

/** The event date among the attributes, for products covered until an event. */
export const eventOnIn = ({
  isHeldToSchema,
  insuredObject,
}: Pick<SaleDraft, 'isHeldToSchema' | 'insuredObject'>): CalendarDate | undefined => {
  const eventDate = insuredObject?.['eventDate'];
  return isHeldToSchema && typeof eventDate === 'string' ? parseDate(eventDate) : undefined;
};

/** The fields that are not undefined. */
export const given = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } => {
  const found: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as never;
};
