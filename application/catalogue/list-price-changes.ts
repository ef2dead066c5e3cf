import {
  addDays,
  type CalendarDate,
  type Cents,
  findIofRate,
  findOffer,
  isRefusal,
  type Offer,
  type PriceBasis,
  type Quote,
  quotePrice,
} from '#domain';
import type { Catalogue, CatalogueOfDay } from './catalogue.ts';
import { catalogueByDay, firstDaysIn, timelinesOf } from './versions.ts';

/** What begins on a day: another rate of IOF, or another version of the product or channel. */
export const PRICE_CHANGE_CAUSES = ['iof', 'product', 'channel'] as const;

type PriceChangeCause = (typeof PRICE_CHANGE_CAUSES)[number];

/** What a plan without coverages costs at a channel the day before a change, and from that day on. */
export interface PriceChange {
  readonly day: CalendarDate;
  readonly channelLink: string;
  /** The code of the product. */
  readonly product: string;
  /** The code of the plan. */
  readonly plan: string;
  /** At least one. */
  readonly causes: readonly PriceChangeCause[];
  /** Undefined: the channel does not sell the plan, or it has no price. */
  readonly before: Quote | undefined;
  readonly after: Quote | undefined;
}

interface PriceChangeRequest {
  /** The first and the last day, inclusive. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** The price of plans whose price the channel declares, in cents. It stays the same. */
  readonly price: Cents;
  /** The insured amount of plans that cost a share of it, in cents. */
  readonly insuredAmount: Cents;
  /** Only this channel. */
  readonly channelLink?: string | undefined;
  /** Only the product with this code. */
  readonly product?: string | undefined;
}

/** Finds on which days plans change, and what each change does to price and commission. */
export type ListPriceChanges = (
  request: PriceChangeRequest,
  page: {
    readonly limit: number;
    /** The place of the last change of the page before. */
    readonly after?: string | undefined;
  },
) => Promise<readonly PriceChange[]>;

/** Changes are sorted by their places. */
export const placeOfPriceChange = ({
  day,
  channelLink,
  product,
  plan,
}: Pick<PriceChange, 'day' | 'channelLink' | 'product' | 'plan'>): string =>
  [day, channelLink, product, plan].join(' ');

export const makeListPriceChanges =
  ({ catalogue }: { readonly catalogue: Catalogue }): ListPriceChanges =>
  async (request, { limit, after = '' }) => {
    const { from, to } = request;
    const state = await catalogue.load();
    const catalogueOn = catalogueByDay(state);
    const rates = catalogueOn(from).iofRates.map((rate) => rate.from);
    const days = new Set([...firstDaysIn(timelinesOf(state.versions)), ...rates]);
    const found: PriceChange[] = [];
    for (const day of [...days].filter((each) => each >= from && each <= to).sort()) {
      if (day < after.slice(0, day.length)) continue;
      for (const change of changesOn(day, catalogueOn, request)) {
        if (found.length === limit) return found;
        if (placeOfPriceChange(change) > after) found.push(change);
      }
    }
    return found;
  };

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

/** The names in either list, each once, sorted. */
const namesIn = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] =>
  [...new Set(lists.flatMap((names) => names ?? []))].sort(byText);

function* changesOn(
  day: CalendarDate,
  catalogueOn: (day: CalendarDate) => CatalogueOfDay,
  request: PriceChangeRequest,
): Iterable<PriceChange> {
  const eve = addDays(day, -1);
  const days = [
    { on: eve, ...catalogueOn(eve) },
    { on: day, ...catalogueOn(day) },
  ] as const;
  for (const channelLink of namesIn(...days.map(({ channels }) => [...channels.keys()]))) {
    if (channelLink !== (request.channelLink ?? channelLink)) continue;
    const grants = days.map(({ channels }) => channels.get(channelLink)?.grants);
    for (const product of namesIn(...grants.map((all) => all?.map((each) => each.productCode)))) {
      if (product !== (request.product ?? product)) continue;
      const plans = days.map(({ products }) =>
        products.find(({ code }) => code === product)?.plans.map(({ code }) => code),
      );
      for (const plan of namesIn(...plans)) {
        const names = { channelLink, product, plan };
        const [before, after] = [
          priceOn(days[0], names, request),
          priceOn(days[1], names, request),
        ];
        const causes = PRICE_CHANGE_CAUSES.filter((each) => before[each] !== after[each]);
        const isSold = (before.quote ?? after.quote) !== undefined;
        if (isSold && causes.length > 0)
          yield { day, ...names, causes, before: before.quote, after: after.quote };
      }
    }
  }
}

/** The price of a plan on a day, with what it depends on. */
const priceOn = (
  { on, products, channels, iofRates }: CatalogueOfDay & { readonly on: CalendarDate },
  { channelLink, product, plan }: Pick<PriceChange, 'channelLink' | 'product' | 'plan'>,
  sample: Pick<PriceChangeRequest, 'price' | 'insuredAmount'>,
) => {
  const channel = channels.get(channelLink);
  const sold = products.find(({ code }) => code === product);
  const rate = findIofRate(sold?.iofClass ?? 'exempt', on, iofRates);
  const named = { product: { code: product }, plan: { code: plan } };
  const offer = findOffer(products, channel, named);
  const quote = isRefusal(offer) ? undefined : priceOf(offer, { on, iofRates, ...sample });
  return {
    quote,
    iof: isRefusal(rate) ? undefined : rate.rate,
    product: sold?.version,
    channel: channel?.version,
  };
};

const priceOf = (
  offer: Offer,
  { price, ...basis }: PriceBasis & Pick<PriceChangeRequest, 'price'>,
): Quote | undefined => {
  const isDeclared = offer.plan.tariff.kind === 'declared';
  const quote = quotePrice(offer, { ...basis, ...(isDeclared && { declaredPrice: price }) });
  return isRefusal(quote) ? undefined : quote;
};
