import type { CommissionRate } from '../pricing/commission.ts';
import { isRefusal, type OfferRefusal, type Refusal, refuse } from '../refusal.ts';
import type { Channel, Collector, Coverage, Grant, Plan, Product } from './product.ts';

/** Something of the catalogue named by its number, its integration code, or both, which must then agree. */
export type Reference = { readonly id: number; readonly code?: string } | { readonly code: string };

/** A product named by its id or one of its plans' ids, by its code, or as the only one of a line that the channel may sell. */
export type ProductReference = Reference | { readonly only: true };

/** What a channel asks to sell. */
export interface OfferRequest {
  readonly product: ProductReference;
  /** Absent: the plan whose id named the product, or the product's default. */
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  /** The line of business asked for; a product of another is not on offer. Absent: every line. */
  readonly line?: string | undefined;
  /** Who takes the payment, where the request decides that; a product that leaves it to the other is not on offer. */
  readonly paidTo?: Collector | undefined;
}

/** A product as a catalogue has it that counts how often it was put. */
export type VersionedProduct = Product & { readonly version?: number };

/** What is sold: a product, one of its plans, additional coverages, and the channel's commissions. */
export interface Offer {
  readonly product: VersionedProduct;
  readonly plan: Plan;
  readonly coverages: readonly Coverage[];
  readonly commissions: readonly CommissionRate[];
  readonly channelName?: string;
}

const isNamed = (
  reference: Reference,
  { id, code }: { readonly id: number; readonly code: string },
): boolean =>
  'id' in reference
    ? reference.id === id && (reference.code ?? code) === code
    : reference.code === code;

const namedPlan = (reference: ProductReference, product: Product): Plan | undefined => {
  if ('only' in reference || isNamed(reference, product)) return product.plans[0];
  return 'id' in reference ? product.plans.find((plan) => isNamed(reference, plan)) : undefined;
};

const namedCoverages = (
  references: readonly Reference[],
  product: Product,
): readonly Coverage[] | Refusal<'coverage_unknown' | 'coverage_repeated'> => {
  const found: Coverage[] = [];
  for (const reference of references) {
    const coverage = product.coverages.find((each) => isNamed(reference, each));
    if (coverage === undefined) return refuse('coverage_unknown');
    if (found.includes(coverage)) return refuse('coverage_repeated');
    found.push(coverage);
  }
  return found;
};

/** The commissions of a grant: the plan's own, or else the product's. */
const commissionsFor = ({ commissions, plans }: Grant, { code }: Plan): readonly CommissionRate[] =>
  plans.find(({ planCode }) => planCode === code)?.commissions ?? commissions;

/** Finds what a channel asks to sell; refused where it is unknown, of another line, ambiguous, not granted, or paid to somebody else. */
export const findOffer = (
  products: readonly VersionedProduct[],
  channel: Channel | undefined,
  request: OfferRequest,
): Offer | Refusal<OfferRefusal> => {
  const named = products.flatMap((product) => {
    const plan =
      request.line === undefined || product.line === request.line
        ? namedPlan(request.product, product)
        : undefined;
    return plan === undefined ? [] : [{ product, plan }];
  });
  if (named.length === 0) return refuse('product_unknown');
  if (channel?.active === false) return refuse('channel_inactive');
  const [sellable, ...others] = named.flatMap((each) => {
    const grant = channel?.grants.find(({ productCode }) => productCode === each.product.code);
    return grant === undefined ? [] : [{ ...each, grant }];
  });
  if (sellable === undefined) return refuse('product_not_granted');
  if (others.length > 0) return refuse('product_ambiguous');

  const { product, grant } = sellable;
  const { collectedBy } = product;
  const { paidTo = collectedBy } = request;
  if (collectedBy !== 'either' && paidTo !== collectedBy)
    return refuse(`payment_not_with_${paidTo as Collector}`);
  const wanted = request.plan;
  const plan =
    wanted === undefined ? sellable.plan : product.plans.find((each) => isNamed(wanted, each));
  // Named twice, by its own number in place of the product's, it must be the same.
  const isNamedOtherwise =
    !('only' in request.product) && !isNamed(request.product, product) && plan !== sellable.plan;
  if (plan === undefined || isNamedOtherwise) return refuse('plan_unknown');
  const coverages = namedCoverages(request.coverages ?? [], product);
  if (isRefusal(coverages)) return coverages;
  const channelName = (channel as Channel).name;
  return { product, plan, coverages, commissions: commissionsFor(grant, plan), channelName };
};
