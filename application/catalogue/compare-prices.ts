import {
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
import type { CatalogueOfDay } from './catalogue.ts';

/** Why a price differs: another rate of IOF, or another version of the product or channel. */
export const PRICE_CHANGE_CAUSES = ['iof', 'product', 'channel'] as const;

type PriceChangeCause = (typeof PRICE_CHANGE_CAUSES)[number];

/** What a plan without coverages costs at a channel in two catalogues. */
export interface ComparedPrice {
  readonly channelLink: string;
  /** The code of the product. */
  readonly product: string;
  /** The code of the plan. */
  readonly plan: string;
  readonly causes: readonly PriceChangeCause[];
  /** Undefined: the channel does not sell the plan, or it has no price. */
  readonly before: Quote | undefined;
  readonly after: Quote | undefined;
}

/** Which plans are compared, and what they are priced for. */
export interface ComparedPlans {
  /** The price of plans whose price the channel declares, in cents. It stays the same. */
  readonly price: Cents;
  /** The insured amount of plans that cost a share of it, in cents. */
  readonly insuredAmount: Cents;
  /** Only this channel. */
  readonly channelLink?: string | undefined;
  /** Only the product with this code. */
  readonly product?: string | undefined;
}

/** A catalogue, and the day on which the insured pays. */
type CatalogueOn = CatalogueOfDay & { readonly on: CalendarDate };

/** The names in either list, each once, sorted. */
const namesIn = (...lists: readonly (readonly string[] | undefined)[]): readonly string[] =>
  [...new Set(lists.flatMap((names) => names ?? []))].sort((one, other) => (one < other ? -1 : 1));

/** The price of each plan in one of the catalogues, and in the other. */
export function* comparePrices(
  one: CatalogueOn,
  other: CatalogueOn,
  asked: ComparedPlans,
): Iterable<ComparedPrice> {
  const both = [one, other];
  for (const channelLink of namesIn(...both.map(({ channels }) => [...channels.keys()]))) {
    if (channelLink !== (asked.channelLink ?? channelLink)) continue;
    const grants = both.map(({ channels }) => channels.get(channelLink)?.grants);
    for (const product of namesIn(...grants.map((all) => all?.map((each) => each.productCode)))) {
      if (product !== (asked.product ?? product)) continue;
      const plans = both.map(({ products }) =>
        products.find(({ code }) => code === product)?.plans.map(({ code }) => code),
      );
      for (const plan of namesIn(...plans)) {
        const names = { channelLink, product, plan };
        const [before, after] = [priceOn(one, names, asked), priceOn(other, names, asked)];
        const causes = PRICE_CHANGE_CAUSES.filter((each) => before[each] !== after[each]);
        yield { ...names, causes, before: before.quote, after: after.quote };
      }
    }
  }
}

/** The price of a plan on a day, with what it depends on. */
const priceOn = (
  { on, products, channels, iofRates }: CatalogueOn,
  { channelLink, product, plan }: Pick<ComparedPrice, 'channelLink' | 'product' | 'plan'>,
  sample: Pick<ComparedPlans, 'price' | 'insuredAmount'>,
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
  { price, ...basis }: PriceBasis & Pick<ComparedPlans, 'price'>,
): Quote | undefined => {
  const isDeclared = offer.plan.tariff.kind === 'declared';
  const quote = quotePrice(offer, { ...basis, ...(isDeclared && { declaredPrice: price }) });
  return isRefusal(quote) ? undefined : quote;
};
