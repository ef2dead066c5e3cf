import type {
  AdditionalInsured,
  CalendarDate,
  Cents,
  ChannelPayment,
  CoveragePeriod,
  DateRefusal,
  DeclaredFigures,
  FigureRefusal,
  InstallmentRefusal,
  Insured,
  JsonObject,
  OfferRefusal,
  PeriodRefusal,
  PriceRefusal,
  ProductReference,
  Reference,
  ServicePayment,
} from '#domain';
import type { AttributeFault } from '../catalogue/attribute-schemas.ts';
import type { Idempotency } from './sales.ts';

/** A sale as a channel brings it, paid at its own checkout or to be paid to the service. */
export interface SaleRequest {
  /** The authenticated client and the channel it belongs to. */
  readonly seller: { readonly clientId: string; readonly channelLink: string | null };
  /** The channel that the request names; it must be the seller's own. */
  readonly channelLink: string;
  /** The line of business that is asked for; a product of another line is not on offer. Absent: any. */
  readonly line?: string | undefined;
  readonly product: ProductReference;
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  readonly insured: Insured;
  readonly additionalInsured?: readonly AdditionalInsured[] | undefined;
  /** What is protected, in the words of an endpoint that knows the product, or of the product's own schema. */
  readonly insuredObject: JsonObject;
  /** Whether these are the words of the product's schema, which they must keep. */
  readonly isHeldToSchema?: true | undefined;
  readonly insuredAmount?: Cents | undefined;
  /** The price agreed with the insured, whatever the plan's tariff; absent, the tariff decides. */
  readonly declaredPrice?: Cents | undefined;
  /** Figures that the channel worked out itself, to be checked; where the tariff is `declared`, the price is among them. */
  readonly declaredFigures?: DeclaredFigures | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly declaredPeriod?: CoveragePeriod | undefined;
  /** Absent: today. */
  readonly soldOn?: CalendarDate | undefined;
  readonly payment: ChannelPayment | ServicePayment;
  readonly idempotency?: Idempotency | undefined;
}

/** Why what was asked for cannot be sold on these terms. */
type TermsRefusal =
  | OfferRefusal
  | DateRefusal
  | PriceRefusal
  | FigureRefusal
  | PeriodRefusal
  | InstallmentRefusal;

export type SaleRefusalKind = TermsRefusal | 'channel_not_own';

/** A reason with the amount in cents that would have been right, where there is one. */
export interface SaleRefusal {
  readonly kind: SaleRefusalKind;
  readonly expected?: number;
  /** The days that would have been right, where there are some. */
  readonly period?: CoveragePeriod;
}

/** Every reason why a sale cannot be, and every fault of its attributes; at least one of them. */
export interface Disagreement {
  readonly reasons: readonly SaleRefusal[];
  readonly attributeFaults: readonly AttributeFault[];
}

/** The day on which the channel was paid; what the service is to collect has not been paid yet. */
export const paidOnIn = ({ payment }: Pick<SaleRequest, 'payment'>): CalendarDate | undefined =>
  payment.collectedBy === 'channel' ? payment.paidOn : undefined;
