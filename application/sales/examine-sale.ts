import {
  type CalendarDate,
  type Collector,
  type DateRefusal,
  dateRefusals,
  findOffer,
  isRefusal,
  type JsonObject,
  type Offer,
  type OfferRefusal,
  type ProductReference,
  type Reference,
  type Refusal,
} from '#domain';
import type { AttributeFault } from '../catalogue/attribute-schemas.ts';
import type { Ports } from '../ports.ts';

/** A sale that a channel wants to make, perhaps incomplete. */
export interface SaleDraft {
  readonly channelLink: string;
  /** Line of business; products of other lines are not offered. Absent: any line. */
  readonly line?: string | undefined;
  readonly product?: ProductReference | undefined;
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  /** Who takes the payment; by default the channel. */
  readonly paidTo?: Collector | undefined;
  readonly soldOn?: CalendarDate | undefined;
  readonly paidOn?: CalendarDate | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly birthDate?: CalendarDate | undefined;
  /** Attributes of the insured object, checked against the product's schema; absent: no check. */
  readonly attributes?: JsonObject | undefined;
}

export interface Examination {
  readonly offer: Offer | undefined;
  /** Every rule that the draft breaks. */
  readonly reasons: readonly Refusal<OfferRefusal | DateRefusal>[];
  readonly attributeFaults: readonly AttributeFault[];
}

export type ExamineSale = (draft: SaleDraft) => Promise<Examination>;

type Needs = Pick<Ports, 'catalogue' | 'attributeSchemas' | 'clock'>;

/**
 * Checks a draft against the catalogue and the calendar, and returns all faults. Writes nothing.
 */
export const makeExamineSale = ({ catalogue, attributeSchemas, clock }: Needs): ExamineSale =>
  async function examineSale({
    channelLink,
    line,
    product,
    plan,
    coverages,
    paidTo = 'channel',
    attributes,
    ...dates
  }) {
    const reasons = dateRefusals(dates, clock.today());
    const none = { offer: undefined, reasons, attributeFaults: [] };
    if (product === undefined) return none;
    const products = await catalogue.products();
    const channel = await catalogue.channel(channelLink);
    const offer = findOffer(products, channel, { line, product, plan, coverages, paidTo });
    if (isRefusal(offer)) return { ...none, reasons: [offer, ...reasons] };
    const attributeFaults =
      attributes === undefined
        ? []
        : attributeSchemas.faultsOf(attributes, offer.product.attributes);
    return { offer, reasons, attributeFaults };
  };
