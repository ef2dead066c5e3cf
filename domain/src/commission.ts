import { type Cents, minus, type Rate, type Rounding, share } from './money.ts';
import type { Premium } from './premium.ts';

/** What the channel keeps of a sale, and what it owes the service. */
export interface Commission {
  readonly rate: Rate;
  /** Net premium × rate. The IOF is never part of the base. */
  readonly amount: Cents;
  /** Total paid by the insured, IOF included, less the commission. */
  readonly netAmount: Cents;
}

export const commissionOn = (premium: Premium, rate: Rate, rounding: Rounding): Commission => {
  const amount = share(premium.net, rate, rounding);
  return { rate, amount, netAmount: minus(premium.total, amount) };
};
