import { type Cents, larger, type Rate, type Rounding, share } from '../money/money.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** The same price for everybody. */
export interface FixedTariff {
  readonly kind: 'fixed';
  readonly amount: Cents;
}

/** A share of the insured amount, at least `minimum`. */
export interface RateTariff {
  readonly kind: 'rate';
  readonly rate: Rate;
  readonly minimum: Cents;
}

/** How a plan's price is found: the channel declares it, or one of the two. Net or gross by the product's pricing basis. */
export type Tariff = { readonly kind: 'declared' } | FixedTariff | RateTariff;

/** What something is the price of. */
export interface Priced {
  readonly of: 'plan' | 'coverage';
  readonly code: string;
  readonly name: string;
}

/** A price, and how it was found: by which tariff, on which base. */
export interface Price extends Priced {
  readonly tariff: Tariff;
  /** What a rate was applied to: the insured amount. */
  readonly base?: Cents;
  readonly amount: Cents;
}

/** The price by a tariff; refused where a rate has nothing to be applied to. */
export const priceBy = (
  tariff: FixedTariff | RateTariff,
  what: Priced,
  base: Cents | undefined,
  rounding: Rounding,
): Price | Refusal<'insured_amount_missing'> => {
  if (tariff.kind === 'fixed') return { ...what, tariff, amount: tariff.amount };
  if (base === undefined || base <= 0) return refuse('insured_amount_missing');
  return {
    ...what,
    tariff,
    base,
    amount: larger(share(base, tariff.rate, rounding), tariff.minimum),
  };
};
