import {
  type CalendarDate,
  type Collector,
  type DateRefusal,
  dateRefusals,
  findOffer,
  isRefusal,
  type Offer,
  type OfferRefusal,
  type ProductReference,
  type Reference,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';

/** What is known of a sale that a channel wants to make: perhaps not all of it yet. */
export interface SaleDraft {
  readonly channelLink: string;
  /** The line of business that is asked for; a product of another line is not on offer. */
  readonly line: string;
  readonly product?: ProductReference | undefined;
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  /** Who takes the payment; absent, the channel. */
  readonly paidTo?: Collector | undefined;
  readonly soldOn?: CalendarDate | undefined;
  readonly paidOn?: CalendarDate | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly birthDate?: CalendarDate | undefined;
}

export interface Examination {
  readonly offer: Offer | undefined;
  /** Every rule that what is known breaks. */
  readonly reasons: readonly (OfferRefusal | DateRefusal)[];
}

export type ExamineSale = (draft: SaleDraft) => Promise<Examination>;

/** Holds a draft against the catalogue and the calendar: all faults at once, and nothing written. */
export const examineSale =
  ({ catalogue, clock }: { readonly catalogue: Catalogue; readonly clock: Clock }): ExamineSale =>
  async ({ channelLink, line, product, plan, coverages, paidTo = 'channel', ...dates }) => {
    const reasons = dateRefusals(dates, clock.today()).map(({ kind }) => kind);
    if (product === undefined) return { offer: undefined, reasons };
    const [products, channel] = await Promise.all([catalogue.products(), catalogue.channel(channelLink)]);
    const offer = findOffer(products, channel, { line, product, plan, coverages, paidTo });
    return isRefusal(offer) ? { offer: undefined, reasons: [offer.kind, ...reasons] } : { offer, reasons };
  };
