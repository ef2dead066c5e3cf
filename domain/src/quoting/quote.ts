import type { Offer } from '../catalogue/offer.ts';
import type { Plan } from '../catalogue/product.ts';
import { type Commission, calculateCommission } from '../pricing/commission.ts';
import { findIofRate, type IofRate } from '../pricing/iof.ts';
import { applyTariff, calculatePremium, type Premium, type Price } from '../pricing/premium.ts';
import {
  type FigureRefusal,
  isRefusal,
  type PriceRefusal,
  type Refusal,
  refuse,
} from '../refusals/refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { type Cents, MAX_AMOUNT, minus, plus, type Rounding } from '../values/money.ts';

/** Input for a quote. */
export interface PriceBasis {
  /** The day whose IOF rate applies. */
  readonly on: CalendarDate;
  /** Value of the insured object in cents: of a ticket, of a phone. */
  readonly insuredAmount?: Cents | undefined;
  /** Price in cents set by the channel, on the product's basis. Replaces the plan's tariff. */
  readonly declaredPrice?: Cents | undefined;
  /** IOF table. Default: `IOF_RATES`. */
  readonly iofRates?: readonly IofRate[] | undefined;
}

/** All figures of a sale and how each was calculated. A sale stores its quote unchanged. */
export interface Quote {
  /**
   * The plan's price, then that of each coverage. Their sum is the net premium if the pricing basis
   * is `net`, and the total premium if it is `gross`.
   */
  readonly prices: readonly Price[];
  readonly premium: Premium;
  readonly commission: Commission;
}

const planPrice = (
  plan: Plan,
  { declaredPrice, insuredAmount }: PriceBasis,
  rounding: Rounding,
): Price | Refusal<PriceRefusal> => {
  const { code, name, tariff } = plan;
  const what = { of: 'plan', code, name } as const;
  if (declaredPrice !== undefined) {
    return declaredPrice > 0
      ? { of: 'plan', code, name, tariff: { kind: 'declared' }, amount: declaredPrice }
      : refuse('premium_not_positive');
  }
  return tariff.kind === 'declared'
    ? refuse('premium_not_declared')
    : applyTariff(tariff, what, insuredAmount, rounding);
};

const coveragePrices = (
  { product, coverages }: Offer,
  insuredAmount: Cents | undefined,
): readonly Price[] | Refusal<PriceRefusal> => {
  const prices: Price[] = [];
  for (const { code, name, tariff } of coverages) {
    const price = applyTariff(
      tariff,
      { of: 'coverage', code, name },
      insuredAmount,
      product.rounding,
    );
    if (isRefusal(price)) return price;
    prices.push(price);
  }
  return prices;
};

/** Prices the plan and each coverage, or returns the first refusal. */
const pricesOf = (offer: Offer, basis: PriceBasis): readonly Price[] | Refusal<PriceRefusal> => {
  const ofPlan = planPrice(offer.plan, basis, offer.product.rounding);
  if (isRefusal(ofPlan)) return ofPlan;
  const ofCoverages = coveragePrices(offer, basis.insuredAmount);
  return isRefusal(ofCoverages) ? ofCoverages : [ofPlan, ...ofCoverages];
};

/**
 * Prices an offer.
 *
 * Refuses a missing figure, a premium of zero or less, an amount above 100 billion reais, and a day
 * on which no IOF rate is in force.
 *
 * @example quotePrice(offer, { on, declaredPrice: cents(18_860) }).premium.total // 20252
 */
export const quotePrice = (offer: Offer, basis: PriceBasis): Quote | Refusal<PriceRefusal> => {
  const { rounding, pricingBasis, iofClass, commissionCap } = offer.product;
  const prices = pricesOf(offer, basis);
  if (isRefusal(prices)) return prices;
  const sum = prices.reduce((before, price) => before + price.amount, 0);
  if (sum > MAX_AMOUNT) return refuse('amount_too_large');
  const iof = findIofRate(iofClass, basis.on, basis.iofRates);
  if (isRefusal(iof)) return iof;
  const priced = calculatePremium(sum as Cents, pricingBasis, iof, rounding);
  if (priced.net <= 0) return refuse('premium_not_positive');
  return {
    prices,
    premium: priced,
    commission: calculateCommission(priced, offer.commissions, commissionCap, rounding),
  };
};

/** Every reason why an offer has no price: those that `quotePrice` finds one after the other. */
export const priceRefusals = (
  offer: Offer,
  basis: PriceBasis,
): readonly Refusal<PriceRefusal>[] => {
  const { rounding, iofClass } = offer.product;
  const refusals = new Map<PriceRefusal, Refusal<PriceRefusal>>();
  for (const each of [
    planPrice(offer.plan, basis, rounding),
    coveragePrices(offer, basis.insuredAmount),
    quotePrice(offer, basis),
    findIofRate(iofClass, basis.on, basis.iofRates),
  ])
    if (isRefusal(each)) refusals.set(each.kind, each);
  return [...refusals.values()];
};

/** Figures that the channel calculated, in cents. */
export interface DeclaredFigures {
  readonly net?: Cents | undefined;
  readonly iof?: Cents | undefined;
  readonly total?: Cents | undefined;
}

/**
 * Derives the plan's price from declared figures: the declared net premium (basis `net`) or total
 * (basis `gross`), less the prices of the coverages. Undefined if that figure was not declared.
 */
export const derivePlanPrice = (
  offer: Offer,
  { net, total }: DeclaredFigures,
  insuredAmount?: Cents,
): Cents | undefined => {
  const whole = offer.product.pricingBasis === 'net' ? net : total;
  const ofCoverages = coveragePrices(offer, insuredAmount);
  return whole === undefined || isRefusal(ofCoverages)
    ? whole
    : minus(whole, plus(...ofCoverages.map(({ amount }) => amount)));
};

/** Accepted difference: two programs may round a half cent differently. */
const TOLERANCE_CENTS = 1;

const differs = (right: Cents, declared: Cents = right): boolean =>
  Math.abs(declared - right) > TOLERANCE_CENTS;

/** Returns a refusal for each declared figure that is more than one cent off. */
export const checkDeclaredFigures = (
  declared: DeclaredFigures,
  { net, iof, total }: Premium,
): readonly Refusal<FigureRefusal>[] => {
  const refusals: Refusal<FigureRefusal>[] = [];
  if (differs(net, declared.net)) refusals.push(refuse('net_premium_differs', net));
  if (differs(iof, declared.iof)) refusals.push(refuse('iof_differs', iof));
  if (differs(total, declared.total)) refusals.push(refuse('total_differs', total));
  return refusals;
};
