import {
  type Cents,
  minus,
  plus,
  type Rate,
  type Rounding,
  share,
  shareWithin,
} from '../money/money.ts';
import type { IofRate } from './iof.ts';

/** Whether a product's price is the premium before IOF (`net`) or what the insured pays in all (`gross`). */
export type PricingBasis = 'net' | 'gross';

/** Amounts that go together: `net + iof = total`, always, to the cent. */
export interface Amounts {
  readonly net: Cents;
  readonly iof: Cents;
  readonly total: Cents;
}

/** A net amount with its IOF. */
export const amounts = (net: Cents, iof: Cents): Amounts => ({ net, iof, total: plus(net, iof) });

/** A premium with its tax, and how the tax was found: by which rate, on which basis, by which law, rounded how. */
export interface Premium extends Amounts {
  readonly pricingBasis: PricingBasis;
  readonly iofRate: Rate;
  readonly legalBasis: string;
  readonly rounding: Rounding;
}

/** IOF on top of a net price: `iof = round(net × rate)`; or inside a gross one: `iof = round(gross × r / (1 + r))`. */
export const premium = (
  price: Cents,
  pricingBasis: PricingBasis,
  iof: IofRate,
  rounding: Rounding,
): Premium => {
  const tax =
    pricingBasis === 'net'
      ? share(price, iof.rate, rounding)
      : shareWithin(price, iof.rate, rounding);
  const net = pricingBasis === 'net' ? price : minus(price, tax);
  return {
    ...amounts(net, tax),
    pricingBasis,
    iofRate: iof.rate,
    legalBasis: iof.legalBasis,
    rounding,
  };
};
