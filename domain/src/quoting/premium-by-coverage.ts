import { type Amounts, amounts } from '../pricing/premium.ts';
import { allocateByWeight, type Cents, plus, type Rate, ZERO } from '../values/money.ts';
import type { Quote } from './quote.ts';

/** How the price of a plan divides among its coverages. */
export interface PremiumShares {
  /**
   * The share of each coverage that the plan includes; together 1,000,000 ppm. Empty: the plan is
   * one coverage.
   */
  readonly included: readonly Rate[];
  /**
   * The share of each coverage bought with the plan, in the order of the quote's prices; together
   * 1,000,000 ppm at most. Undefined: the coverage has only its own price.
   */
  readonly bought: readonly (Rate | undefined)[];
}

const WHOLE_PPM = 1_000_000;

/**
 * Divides the premium of a sale among its coverages: first those that the plan includes, then those
 * bought with it. A coverage costs its own price and its share of the plan's price. Without
 * prices, the plan costs the whole net premium.
 *
 * The net premium divides by these prices, and the IOF by the net premium of each coverage. Both
 * sum exactly to those of the sale.
 */
export const splitByCoverage = (
  { prices, premium }: Pick<Quote, 'prices' | 'premium'>,
  { included, bought }: PremiumShares,
): readonly Amounts[] => {
  const [planPrice = premium.net, ...ownPrices] = prices.map(({ amount }) => amount);
  const shares: readonly number[] = bought.map((share) => share ?? 0);
  const left = shares.reduce((before, share) => before - share, WHOLE_PPM);
  const [rest, ...shared] = allocateByWeight(planPrice, [left, ...shares]) as readonly [
    Cents,
    ...Cents[],
  ];

  const ofIncluded = included.length === 0 ? [rest] : allocateByWeight(rest, included);
  const ofBought = shared.map((part, index) => plus(part, ownPrices[index] ?? ZERO));
  const nets = allocateByWeight(premium.net, [...ofIncluded, ...ofBought]);
  const taxes = allocateByWeight(premium.iof, nets);
  return nets.map((net, index) => amounts(net, taxes[index] as Cents));
};
