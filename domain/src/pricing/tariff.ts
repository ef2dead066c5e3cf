import {
  type Cents,
  checkCents,
  checkRate,
  max,
  type Rate,
  type Rounding,
  share,
} from '../money/money.ts';
import { type Refusal, refuse } from '../refusals/refusal.ts';

/** A fixed price in cents. */
export interface FixedTariff {
  readonly kind: 'fixed';
  readonly amount: Cents;
}

/** A share of the insured amount, and at least `minimum` cents. */
export interface RateTariff {
  readonly kind: 'rate';
  readonly rate: Rate;
  readonly minimum: Cents;
}

/** How a plan is priced. `declared`: the channel sets the price of each sale. */
export type Tariff = { readonly kind: 'declared' } | FixedTariff | RateTariff;

/** The plan or coverage that a price belongs to. */
export interface Priced {
  readonly of: 'plan' | 'coverage';
  readonly code: string;
  readonly name: string;
}

/** A price in cents, net or gross by the product's pricing basis, and how it was calculated. */
export interface Price extends Priced {
  readonly tariff: Tariff;
  /** The insured amount, if a rate was applied to it. */
  readonly base?: Cents;
  readonly amount: Cents;
}

/** Applies a tariff. Refuses a rate without an insured amount (`base`) above zero. */
export const applyTariff = (
  tariff: FixedTariff | RateTariff,
  what: Priced,
  base: Cents | undefined,
  rounding: Rounding,
): Price | Refusal<'insured_amount_missing'> => {
  const { of, code, name } = what;
  if (tariff.kind === 'fixed') return { of, code, name, tariff, amount: tariff.amount };
  checkRate(`the rate of ${what.code}`, tariff.rate);
  if (base === undefined || base <= 0) return refuse('insured_amount_missing');
  checkCents('the insured amount', base);
  return {
    of,
    code,
    name,
    tariff,
    base,
    amount: max(share(base, tariff.rate, rounding), tariff.minimum),
  };
};
