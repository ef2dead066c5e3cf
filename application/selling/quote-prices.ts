import {
  type CalendarDate,
  type Channel,
  holdCoverages,
  holdFigures,
  type Instant,
  type IofRate,
  instantOf,
  isRefusal,
  lastDayOfRate,
  type Offer,
  refuse,
} from '#domain';
import type { AttributeSchemas } from '../catalogue/attribute-schemas.ts';
import type { Catalogue, CatalogueOfDay } from '../catalogue/catalogue.ts';
import { type Clock, endOfDay } from '../clock.ts';
import type { NotSellable } from '../sales/sale-refusals.ts';
import { eventOnIn, type SaleDraft } from '../sales/sale-request.ts';
import { type Disclosure, discloseOffer } from './disclosure.ts';
import { checkAttributes } from './find-terms.ts';
import {
  findOffers,
  type PlanNotOffered,
  type PricedOffer,
  priceOffer,
  type QuoteRequest,
} from './price-plans.ts';
import { QUOTES_HOLD_MS, type QuoteSeal } from './quote-seal.ts';

export interface QuotedOffer extends PricedOffer {
  readonly disclosure: Disclosure;
}

interface QuotedPrices {
  readonly kind: 'quoted';
  readonly quoteId: string;
  readonly until: Instant;
  /** There is at least one. */
  readonly offers: readonly QuotedOffer[];
  readonly notOffered: readonly PlanNotOffered[];
}

interface Needs {
  readonly catalogue: Catalogue;
  readonly attributeSchemas: AttributeSchemas;
  readonly clock: Clock;
  readonly quoteSeal: QuoteSeal;
}

/** Prices each plan, and promises the prices to the channel for a time. Stores nothing. */
export type QuotePrices = (request: QuoteRequest) => Promise<QuotedPrices | NotSellable>;

export const makeQuotePrices = ({
  catalogue,
  attributeSchemas,
  clock,
  quoteSeal,
}: Needs): QuotePrices => {
  /** The ends of rates by table, class and day: to find one takes as long as to price a plan. */
  const ends = new WeakMap<readonly IofRate[], Map<string, Instant | undefined>>();

  /** The last second of a tax rate; undefined if no end is known. */
  const endOfRate = (
    { offer: { product }, quote: { premium } }: PricedOffer,
    on: CalendarDate,
    { iofRates }: CatalogueOfDay,
  ): Instant | undefined => {
    const { iofRate: rate, legalBasis } = premium;
    const { iofClass } = product;
    const known = ends.get(iofRates) ?? new Map<string, Instant | undefined>();
    ends.set(iofRates, known);
    const name = `${iofClass} ${on}`;
    if (!known.has(name)) {
      const lastDay = lastDayOfRate({ rate, legalBasis, iofClass, on }, iofRates);
      known.set(name, lastDay && endOfDay(clock, lastDay));
    }
    return known.get(name);
  };

  /** The end of the time in which prices hold: not past that of their tax rate and their version. */
  const holdsUntil = (...ends: readonly (Instant | undefined)[]): Instant => {
    const dayLater = new Date(Date.parse(clock.now()) + QUOTES_HOLD_MS);
    dayLater.setUTCMilliseconds(0);
    const until = instantOf(dayLater);
    return ends.reduce<Instant>((first, end) => (end && end < first ? end : first), until);
  };

  return async function quotePrices(request) {
    const { paidOn: on = clock.today() } = request;
    const current = await catalogue.on(on);
    const found = findOffers(request, current);
    if (isRefusal(found)) return found;

    const [first] = found as readonly [Offer];
    const payment = { collectedBy: 'channel', paidOn: on } as const;
    const draft: SaleDraft = { ...request, isHeldToSchema: true, payment };
    // A missing attribute is no fault: a price may need none of them.
    const attributeFaults = checkAttributes(draft, first.product, attributeSchemas).filter(
      ({ keyword }) => keyword !== 'required',
    );
    const { iofRates } = current;
    const context = { today: on, iofRates, opened: undefined, isLate: false };
    const priced = found.map((offer) => priceOffer(offer, draft, context));
    const channel = current.channels.get(request.channelLink) as Channel;
    const offers = priced
      .filter((each) => 'quote' in each)
      .map((each) => {
        const { product, commissions } = each.offer;
        const { amount } = each.quote.commission;
        return { ...each, disclosure: discloseOffer(channel, product, [commissions], on, amount) };
      });
    const notOffered = priced.filter((each) => 'reasons' in each);
    const [best] = offers;
    if (best === undefined || attributeFaults.length > 0) {
      const reasons = best === undefined ? notOffered.flatMap((each) => each.reasons) : [];
      return { ...refuse('not_sellable'), reasons, attributeFaults };
    }

    const lastDay = best.offer.until && endOfDay(clock, best.offer.until);
    const until = holdsUntil(endOfRate(best, on, current), lastDay);
    const { product, coverages } = first;
    const { channelLink, insuredAmount, declaredPeriod } = request;
    const { iofRate, legalBasis } = best.quote.premium;
    const quoteId = await quoteSeal.seal({
      ...{ channelLink, until, paidOn: on, iofRate, legalBasis },
      ...{ insuredAmount, declaredPeriod, eventOn: eventOnIn(draft) },
      product: {
        code: product.code,
        ...(product.version !== undefined && { version: product.version }),
      },
      coverages: holdCoverages(coverages, best.quote),
      plans: offers.map(({ offer: { plan }, quote: each }) => holdFigures(plan.id, each)),
    });
    return { kind: 'quoted', quoteId, until, offers, notOffered };
  };
};
