import {
  type CalendarDate,
  findOffer,
  isRefusal,
  type OfferRefusal,
  type Reference,
  type Refusal,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';

/** How many offers of a product customers of a channel have declined on a day. */
export interface DeclinedCount {
  readonly day: CalendarDate;
  /** The code of the product. */
  readonly product: string;
  readonly count: number;
}

/**
 * Counts of declined offers, which show that the insurance is optional. They hold no personal data.
 *
 * 1. `add` adds to the count of a day, also if several processes add at once, and returns the new one.
 * 2. `list` gives the counts of a channel's days, `from` inclusive, `until` exclusive, by day and
 *    product. Channels see their own alone.
 */
export interface DeclinedOffers {
  add(channelLink: string, declined: DeclinedCount): Promise<number>;
  list(
    channelLink: string,
    days: { readonly from: CalendarDate; readonly until: CalendarDate },
  ): Promise<readonly DeclinedCount[]>;
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly declinedOffers: DeclinedOffers;
}

/**
 * Counts offers of a product that the channel may sell, today.
 *
 * @param count undefined: nothing is counted, and only a refusal tells something
 * @returns the count of the day so far
 */
export type NoteDeclinedOffers = (
  channelLink: string,
  product: Reference,
  count: number | undefined,
) => Promise<DeclinedCount | Refusal<OfferRefusal>>;

export const makeNoteDeclinedOffers =
  ({ catalogue, clock, declinedOffers }: Needs): NoteDeclinedOffers =>
  async (channelLink, product, count) => {
    const { products, channels } = await catalogue.current();
    const offer = findOffer(products, channels.get(channelLink), { product });
    if (isRefusal(offer)) return offer;
    const declined = { day: clock.today(), product: offer.product.code };
    const sum =
      count === undefined ? 0 : await declinedOffers.add(channelLink, { ...declined, count });
    return { ...declined, count: sum };
  };
