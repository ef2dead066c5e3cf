import type { IofClass } from './iof.ts';
import type { Cents, Rate, Rounding } from './money.ts';
import type { PeriodRule } from './period.ts';
import type { PricingBasis } from './premium.ts';
import { type Refusal, refuse } from './refusal.ts';

/**
 * How a plan's price is found: the channel declares it; it is fixed; or it is a rate on the insured
 * amount, at least `minimum`. Prices are net or gross by the product's pricing basis.
 */
export type Tariff =
  | { readonly kind: 'declared' }
  | { readonly kind: 'fixed'; readonly amount: Cents }
  | { readonly kind: 'rate'; readonly rate: Rate; readonly minimum: Cents };

export interface Plan {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly tariff: Tariff;
  readonly period: PeriodRule;
}

/** An additional coverage that can be bought on top of a plan, at a fixed price. */
export interface Coverage {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly price: Cents;
}

/** What the regulator (SUSEP) knows the product by. */
export interface Registration {
  /** `15414.NNNNNN/AAAA-DD`. */
  readonly susepProcess: string;
  readonly branchCode: string;
  readonly branchName: string;
  readonly insurer: { readonly name: string; readonly cnpj: string; readonly susepCode: string };
}

/** A product is data: another product is another row, not another class. */
export interface Product {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** The line of business, by which an endpoint knows what it sells: `event_ticket`, `artist`, `mobile_phone`, `travel`… */
  readonly line: string;
  readonly pricingBasis: PricingBasis;
  readonly rounding: Rounding;
  readonly iofClass: IofClass;
  /** Who takes the insured's money: the channel before it registers the sale, or the service. */
  readonly collectedBy: 'channel' | 'service';
  readonly registration: Registration;
  /** The first one is the default. */
  readonly plans: readonly [Plan, ...Plan[]];
  readonly coverages: readonly Coverage[];
}

/** A channel's leave to sell a product, with its commission; a plan may have a rate of its own. */
export interface Grant {
  readonly productCode: string;
  readonly commissionRate: Rate;
  readonly plans: readonly { readonly planCode: string; readonly commissionRate: Rate }[];
}

export interface Channel {
  readonly channelLink: string;
  readonly name: string;
  readonly active: boolean;
  readonly grants: readonly Grant[];
}

/** A product named by its id or one of its plans' ids, by its code, or as the only one of a line that the channel may sell. */
export type ProductReference = { readonly id: number } | { readonly code: string } | { readonly only: true };

/** What is sold: a product, one of its plans, and the channel's grant to sell it. */
export interface Offer {
  readonly product: Product;
  readonly plan: Plan;
  readonly commissionRate: Rate;
}

const namedBy = (reference: ProductReference, product: Product): Plan | undefined => {
  if ('code' in reference) return product.code === reference.code ? product.plans[0] : undefined;
  if ('only' in reference || product.id === reference.id) return product.plans[0];
  return product.plans.find((plan) => plan.id === reference.id);
};

/** Finds what a channel asks to sell; refused where it is unknown, of another line, ambiguous, not granted, or paid to somebody else. */
export const findOffer = (
  products: readonly Product[],
  channel: Channel | undefined,
  line: string,
  reference: ProductReference,
  paidTo: Product['collectedBy'],
): Offer | Refusal => {
  const named = products.flatMap((product) => {
    const plan = product.line === line ? namedBy(reference, product) : undefined;
    return plan === undefined ? [] : [{ product, plan }];
  });
  if (named.length === 0) return refuse('product_unknown');
  if (channel?.active === false) return refuse('channel_inactive');
  const offers = named.flatMap(({ product, plan }) => {
    const grant = channel?.grants.find((each) => each.productCode === product.code);
    if (grant === undefined) return [];
    const ofPlan = grant.plans.find((each) => each.planCode === plan.code);
    return [{ product, plan, commissionRate: ofPlan?.commissionRate ?? grant.commissionRate }];
  });
  const [offer, ...others] = offers;
  if (offer === undefined) return refuse('product_not_granted');
  if (others.length > 0) return refuse('product_ambiguous');
  return offer.product.collectedBy === paidTo ? offer : refuse('payment_not_with_channel');
};
