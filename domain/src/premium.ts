import type { IofRate } from './iof.ts';
import { type Cents, minus, plus, type Rate, type Rounding, share, shareWithin } from './money.ts';

/** Whether a product's price is the premium before IOF (`net`) or what the insured pays in all (`gross`). */
export type PricingBasis = 'net' | 'gross';

/** A premium with its tax. `net + iof = total`, always, to the cent. */
export interface Premium {
  readonly net: Cents;
  readonly iof: Cents;
  readonly total: Cents;
  readonly iofRate: Rate;
  readonly legalBasis: string;
  readonly rounding: Rounding;
}

/** IOF on top of a net price: `iof = round(net × rate)`; or inside a gross one: `iof = round(gross × r / (1 + r))`. */
export const premium = (price: Cents, basis: PricingBasis, iof: IofRate, rounding: Rounding): Premium => {
  const explained = { iofRate: iof.rate, legalBasis: iof.legalBasis, rounding };
  if (basis === 'net') {
    const tax = share(price, iof.rate, rounding);
    return { net: price, iof: tax, total: plus(price, tax), ...explained };
  }
  const tax = shareWithin(price, iof.rate, rounding);
  return { net: minus(price, tax), iof: tax, total: price, ...explained };
};
