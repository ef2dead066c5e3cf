import type { Offer } from '../catalogue/offer.ts';
import type { Plan } from '../catalogue/product.ts';
import { type Cents, MAX_AMOUNT, minus, plus, type Rounding } from '../money/money.ts';
import {
  type FigureRefusal,
  isRefusal,
  type PriceRefusal,
  type Refusal,
  refuse,
} from '../refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { type Commission, commissionOn } from './commission.ts';
import { type IofRate, iofRateOn } from './iof.ts';
import { type Premium, premium } from './premium.ts';
import { type Price, priceBy } from './tariff.ts';

/** What the price of a sale rests on. */
export interface PriceBasis {
  /** The day whose IOF rate applies. */
  readonly on: CalendarDate;
  /** The value protected: a ticket's, a phone's. */
  readonly insuredAmount?: Cents | undefined;
  /** A price that the channel agreed with the insured, net or gross by the product's basis; it stands in place of the plan's tariff. */
  readonly declaredPrice?: Cents | undefined;
  /** The IOF table; absent, the one in force. */
  readonly iofRates?: readonly IofRate[] | undefined;
}

/** All the figures of a sale, frozen when it is made, and how each was found. */
export interface Quote {
  /** The plan's price, then each coverage's. Their sum is the premium's net or total, by its pricing basis. */
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
      ? { ...what, tariff: { kind: 'declared' }, amount: declaredPrice }
      : refuse('premium_not_positive');
  }
  return tariff.kind === 'declared'
    ? refuse('premium_not_declared')
    : priceBy(tariff, what, insuredAmount, rounding);
};

const coveragePrices = (
  { product, coverages }: Offer,
  insuredAmount: Cents | undefined,
): readonly Price[] | Refusal<PriceRefusal> => {
  const prices: Price[] = [];
  for (const { code, name, tariff } of coverages) {
    const price = priceBy(tariff, { of: 'coverage', code, name }, insuredAmount, product.rounding);
    if (isRefusal(price)) return price;
    prices.push(price);
  }
  return prices;
};

/** The plan's price and each coverage's, or the first refusal among them. */
const pricesOf = (offer: Offer, basis: PriceBasis): readonly Price[] | Refusal<PriceRefusal> => {
  const ofPlan = planPrice(offer.plan, basis, offer.product.rounding);
  if (isRefusal(ofPlan)) return ofPlan;
  const ofCoverages = coveragePrices(offer, basis.insuredAmount);
  return isRefusal(ofCoverages) ? ofCoverages : [ofPlan, ...ofCoverages];
};

/** Prices an offer. Refused where a figure is missing, the premium is not above zero, or no IOF rate is in force. */
export const quote = (offer: Offer, basis: PriceBasis): Quote | Refusal<PriceRefusal> => {
  const { rounding, pricingBasis, iofClass, commissionCap } = offer.product;
  const prices = pricesOf(offer, basis);
  if (isRefusal(prices)) return prices;
  const sum = prices.reduce((before, price) => before + price.amount, 0);
  if (sum > MAX_AMOUNT) return refuse('amount_too_large');
  const iof = iofRateOn(iofClass, basis.on, basis.iofRates);
  if (isRefusal(iof)) return iof;
  const priced = premium(sum as Cents, pricingBasis, iof, rounding);
  if (priced.net <= 0) return refuse('premium_not_positive');
  return {
    prices,
    premium: priced,
    commission: commissionOn(priced, offer.commissions, commissionCap, rounding),
  };
};

/** Figures that a channel worked out itself. */
export interface DeclaredFigures {
  readonly net?: Cents | undefined;
  readonly iof?: Cents | undefined;
  readonly total?: Cents | undefined;
}

/**
 * The plan's price among declared figures: the net premium or the total, whichever the product's prices are, less what the
 * coverages cost. Never worked out from the other one.
 */
export const declaredPrice = (
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

/** Two programs may round a half cent differently; more than one cent apart is an error of one of them. */
const TOLERANCE = 1;

const differs = (right: Cents, declared: Cents = right): boolean =>
  Math.abs(declared - right) > TOLERANCE;

/** Every declared figure that is more than one cent off, with the right one. */
export const figureRefusals = (
  declared: DeclaredFigures,
  { net, iof, total }: Premium,
): readonly Refusal<FigureRefusal>[] => {
  const refusals: Refusal<FigureRefusal>[] = [];
  if (differs(net, declared.net)) refusals.push(refuse('net_premium_differs', net));
  if (differs(iof, declared.iof)) refusals.push(refuse('iof_differs', iof));
  if (differs(total, declared.total)) refusals.push(refuse('total_differs', total));
  return refusals;
};
