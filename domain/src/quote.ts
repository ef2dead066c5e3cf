import type { CalendarDate } from './calendar.ts';
import type { Offer, Tariff } from './catalogue.ts';
import { type Commission, commissionOn } from './commission.ts';
import { iofRateOn } from './iof.ts';
import { type Cents, cents, MAX_AMOUNT, type Rounding, share } from './money.ts';
import { type Premium, premium } from './premium.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';

/** What the price of a sale rests on. */
export interface PriceBasis {
  /** The day whose IOF rate applies. */
  readonly on: CalendarDate;
  /** The value protected: a ticket's, a phone's. */
  readonly insuredAmount?: Cents;
  /** A price that the channel agreed with the insured, net or gross by the product's basis; it stands in place of the tariff's. */
  readonly declaredPrice?: Cents;
}

/** All the figures of a sale, frozen when it is made. */
export interface Quote {
  readonly premium: Premium;
  readonly commission: Commission;
}

const tariffPrice = (tariff: Tariff, basis: PriceBasis, rounding: Rounding): Cents | Refusal => {
  if (tariff.kind === 'declared') return refuse('premium_not_declared');
  if (tariff.kind === 'fixed') return tariff.amount;
  if (basis.insuredAmount === undefined) return refuse('insured_amount_missing');
  const price = share(basis.insuredAmount, tariff.rate, rounding);
  return cents(Math.max(price, tariff.minimum));
};

/** Prices an offer. Refused where a figure is missing, the premium is not above zero, or no IOF rate is in force. */
export const quote = ({ product, plan, commissionRate }: Offer, basis: PriceBasis): Quote | Refusal => {
  const price = basis.declaredPrice ?? tariffPrice(plan.tariff, basis, product.rounding);
  if (isRefusal(price)) return price;
  if (price > MAX_AMOUNT) return refuse('amount_too_large');
  const iof = iofRateOn(product.iofClass, basis.on);
  if (isRefusal(iof)) return iof;
  const priced = premium(price, product.pricingBasis, iof, product.rounding);
  if (priced.net <= 0) return refuse('premium_not_positive');
  return { premium: priced, commission: commissionOn(priced, commissionRate, product.rounding) };
};
