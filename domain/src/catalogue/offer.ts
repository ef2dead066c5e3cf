import type { CommissionRate } from '../pricing/commission.ts';
import { type OfferRefusal, type Refusal, refuse, refuseAt } from '../refusals/refusal.ts';
import { type CalendarDate, earliestDay } from '../values/calendar.ts';
import type { Channel, Grant } from './channel.ts';
import type { Collector, Coverage, Plan, Product } from './product.ts';

/** Names a catalogue entry by its id, its integration code, or both. If both, they must agree. */
export type Reference = { readonly id: number; readonly code?: string } | { readonly code: string };

/**
 * Names a product by its id, by the id of one of its plans, or by its code, also in other capitals.
 * `only` names the one product of the requested line that the channel may sell.
 */
export type ProductReference =
  | Reference
  | { readonly code: string; readonly inAnyCase: true }
  | { readonly only: true };

/** What a channel asks to sell. */
export interface OfferRequest {
  readonly product: ProductReference;
  /** Default: the plan whose id named the product, else the product's default plan. */
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  /** The line of business: products of other lines are not found. Default: every line. */
  readonly line?: string | undefined;
  /**
   * Who collects the premium, if the request decides it. A product with another collector is
   * refused.
   */
  readonly paidTo?: Collector | undefined;
}

/** The version of a definition, and its days. */
interface InForce {
  /** Counts from 1. */
  readonly version?: number;
  /** Its first day, if it was announced ahead. */
  readonly from?: CalendarDate;
  /** Its last day, if another version follows. */
  readonly until?: CalendarDate;
}

/** A product, with what a catalogue store knows of its version. */
export type VersionedProduct = Product & InForce;

/** A channel, with the same. */
export type VersionedChannel = Channel & InForce;

/** What a sale sells: a product, one of its plans, coverages, and the channel's commissions. */
export interface Offer {
  readonly product: VersionedProduct;
  readonly plan: Plan;
  readonly coverages: readonly Coverage[];
  readonly commissions: readonly CommissionRate[];
  readonly channelName?: string;
  readonly channelVersion?: number;
  /** The last day of the product's or channel's version, if another follows. */
  readonly until?: CalendarDate;
}

interface Entry {
  readonly id: number;
  readonly code: string;
}

const nameOf = ({ id, code }: Entry): Entry => ({ id, code });

const isNamed = (reference: Reference, { id, code }: Entry): boolean =>
  'id' in reference
    ? reference.id === id && (reference.code ?? code) === code
    : reference.code === code;

const isSameCode = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

const namedPlan = (reference: ProductReference, product: Product): Plan | undefined => {
  if ('only' in reference || isNamed(reference, product)) return product.plans[0];
  if ('inAnyCase' in reference)
    return isSameCode(reference.code, product.code) ? product.plans[0] : undefined;
  return 'id' in reference ? product.plans.find((plan) => isNamed(reference, plan)) : undefined;
};

/** The part of a reference that is wrong: the code, if the id alone would name an entry. */
const partAtFault = (reference: Reference, entries: readonly Entry[]): 'id' | 'code' => {
  if (!('id' in reference)) return 'code';
  const isIdKnown = entries.some(({ id }) => id === reference.id);
  return isIdKnown && !entries.some((each) => isNamed(reference, each)) ? 'code' : 'id';
};

const namedCoverages = (
  references: readonly Reference[],
  product: Product,
): Pick<CheckedOffer, 'refusals'> & { readonly found: readonly Coverage[] } => {
  const found: Coverage[] = [];
  const unknown: string[] = [];
  const repeated: string[] = [];
  for (const [index, reference] of references.entries()) {
    const coverage = product.coverages.find((each) => isNamed(reference, each));
    const place = () => `${index}.${partAtFault(reference, product.coverages)}`;
    if (coverage === undefined) unknown.push(place());
    else if (found.includes(coverage)) repeated.push(place());
    else found.push(coverage);
  }
  return {
    found,
    refusals: [
      ...(unknown.length > 0
        ? [refuseAt('coverage_unknown', unknown, product.coverages.map(nameOf))]
        : []),
      ...(repeated.length > 0 ? [refuseAt('coverage_repeated', repeated)] : []),
    ],
  };
};

/** Refuses a reference that names no product of the requested line. */
const refuseUnknownProduct = (
  products: readonly Product[],
  channel: Channel | undefined,
  { product: reference, line }: OfferRequest,
): Refusal<'product_unknown'> => {
  if ('only' in reference) return refuse('product_unknown');
  const ofLine = products.filter((each) => line === undefined || each.line === line);
  const entries = ofLine.flatMap((each) => [each, ...each.plans]);
  const isGranted = ({ code }: Product) =>
    channel?.grants.some(({ productCode }) => productCode === code) ?? false;
  return refuseAt(
    'product_unknown',
    [partAtFault(reference, entries)],
    ofLine.filter(isGranted).map(nameOf),
  );
};

/** A grant's commissions for a plan: those of the plan if it has any, else those of the product. */
const commissionsFor = ({ commissions, plans }: Grant, { code }: Plan): readonly CommissionRate[] =>
  plans.find(({ planCode }) => planCode === code)?.commissions ?? commissions;

/** Whether the price is the same on every plan: the request declares it. */
export const isPricedByRequest = ({ plans }: Product): boolean =>
  plans.every(({ tariff }) => tariff.kind === 'declared');

/** The most installments of a premium that the service collects by card; if the channel does, one. */
export const offeredInstallments = ({ product, plan }: Pick<Offer, 'product' | 'plan'>): number =>
  product.collectedBy === 'channel' ? 1 : plan.maxInstallments;

/** Whether no coverage changes the price. */
export const hasFreeCoverages = ({ coverages }: Product): boolean =>
  coverages.every(({ tariff }) => tariff.kind === 'fixed' && tariff.amount === 0);

/** What of a request could be found, and every reason why it cannot be sold. */
export interface CheckedOffer {
  readonly refusals: readonly Refusal<OfferRefusal>[];
  /** Absent if the product is unknown, ambiguous or not granted, or the channel is inactive. */
  readonly product?: VersionedProduct;
  /** Absent if there is no product, or the plan is unknown. */
  readonly plan?: Plan;
  /** Absent if a part is unknown. It may still be refused, because of its collector. */
  readonly offer?: Offer;
  /**
   * Where a plan or coverage is unknown, an offer of the same price: the request says the price of
   * every plan, and unknown coverages cost nothing. Absent if the price depends on what is unknown.
   */
  readonly alike?: Offer;
}

/** A product that a channel may sell, and the plan whose id, or whose product, was named. */
interface Sellable {
  readonly product: VersionedProduct;
  readonly plan: Plan;
  readonly grant: Grant;
}

/** The plan that is asked for; undefined if it is unknown. */
const wantedPlan = (
  { product: reference, plan: wanted }: OfferRequest,
  { product, plan: named }: Sellable,
): Plan | undefined => {
  if (wanted === undefined) return named;
  const plan = product.plans.find((each) => isNamed(wanted, each));
  // The request may name a plan twice: by its id in place of the product's, and as the plan. Both
  // must be the same plan.
  const isNamedTwice = 'id' in reference && !isNamed(reference, product);
  return isNamedTwice && plan !== named ? undefined : plan;
};

/** Checks what is asked for of a product that the channel may sell. */
const checkSellable = (
  sellable: Sellable,
  { name: channelName, version: channelVersion, until: channelUntil }: VersionedChannel,
  request: OfferRequest,
): CheckedOffer => {
  const { product, grant } = sellable;
  const { collectedBy } = product;
  const { paidTo = collectedBy } = request;
  const refusals: Refusal<OfferRefusal>[] = [];
  if (collectedBy !== 'either' && paidTo !== collectedBy)
    refusals.push(refuse(`payment_not_with_${paidTo as Collector}`));

  const plan = wantedPlan(request, sellable);
  if (plan === undefined) {
    const at = [partAtFault(request.plan as Reference, product.plans)];
    refusals.push(refuseAt('plan_unknown', at, product.plans.map(nameOf)));
  }
  const coverages = namedCoverages(request.coverages ?? [], product);
  const until = earliestDay(product.until, channelUntil);
  refusals.push(...coverages.refusals);

  const makeOffer = (sold: Plan): Offer => ({
    product,
    plan: sold,
    coverages: coverages.found,
    commissions: commissionsFor(grant, sold),
    channelName,
    ...(channelVersion !== undefined && { channelVersion }),
    ...(until !== undefined && { until }),
  });
  const areCoveragesKnown = coverages.refusals.length === 0;
  const found = { refusals, product, ...(plan && { plan }) };
  if (plan && areCoveragesKnown) return { ...found, offer: makeOffer(plan) };

  const isPriceKnown =
    (plan !== undefined || isPricedByRequest(product)) &&
    (areCoveragesKnown || hasFreeCoverages(product));
  return isPriceKnown ? { ...found, alike: makeOffer(plan ?? sellable.plan) } : found;
};

/**
 * Finds what a channel asks to sell, as far as it can be found, and every reason to refuse it.
 *
 * Refuses a product that is unknown, of another line, ambiguous, not granted to the channel, or
 * collected by the other party; an inactive channel; and an unknown plan or coverage. `at` of the
 * refusal names the wrong parts: `id` or `code`, of a coverage with its position, as in `0.id`.
 */
export const checkOffer = (
  products: readonly VersionedProduct[],
  channel: VersionedChannel | undefined,
  request: OfferRequest,
): CheckedOffer => {
  let isKnown = false;
  const sellables: Sellable[] = [];
  for (const product of products) {
    if (request.line !== undefined && product.line !== request.line) continue;
    const plan = namedPlan(request.product, product);
    if (plan === undefined) continue;
    isKnown = true;
    const grant = channel?.grants.find(({ productCode }) => productCode === product.code);
    if (grant !== undefined) sellables.push({ product, plan, grant });
  }
  if (!isKnown) return { refusals: [refuseUnknownProduct(products, channel, request)] };
  if (channel?.active === false) return { refusals: [refuse('channel_inactive')] };
  const [sellable] = sellables;
  if (sellable === undefined) return { refusals: [refuse('product_not_granted')] };
  return sellables.length > 1
    ? { refusals: [refuse('product_ambiguous')] }
    : checkSellable(sellable, channel as VersionedChannel, request);
};

/**
 * Finds what a channel asks to sell, or the first reason to refuse it.
 *
 * @example findOffer([product], channel, { product: { code: 'INGRESSO' } }).plan.code // 'PADRAO'
 */
export const findOffer = (
  products: readonly VersionedProduct[],
  channel: VersionedChannel | undefined,
  request: OfferRequest,
): Offer | Refusal<OfferRefusal> => {
  const { refusals, offer } = checkOffer(products, channel, request);
  // Without a refusal there is an offer.
  return refusals[0] ?? (offer as Offer);
};

/** A product that a channel may sell, and its commissions on each plan. */
export interface GrantedProduct {
  readonly product: VersionedProduct;
  /** The plans, in the order of the product. */
  readonly plans: readonly {
    readonly plan: Plan;
    readonly commissions: readonly CommissionRate[];
  }[];
}

/** What a channel may sell, in the order of the products. An inactive channel sells nothing. */
export const grantedProducts = (
  products: readonly VersionedProduct[],
  channel: Channel | undefined,
): readonly GrantedProduct[] =>
  products.flatMap((product) => {
    const grant = channel?.grants.find(({ productCode }) => productCode === product.code);
    if (grant === undefined || channel?.active === false) return [];
    const plans = product.plans.map((plan) => ({ plan, commissions: commissionsFor(grant, plan) }));
    return { product, plans };
  });
