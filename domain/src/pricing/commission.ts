import {
  type Cents,
  checkCents,
  checkRate,
  checkRounding,
  min,
  minus,
  plus,
  type Rate,
  type Rounding,
  share,
} from '../values/money.ts';
import type { Amounts } from './premium.ts';

/**
 * Kinds of commission:
 * - `brokerage`: mediation by a broker (Lei 4.594/1964, art. 13);
 * - `agency`: acquisition of the client, paid once (agenciamento);
 * - `pro_labore`: administration of a group by its policyholder (Decreto-Lei 73/1966, art. 21);
 * - `representative`: sale in the insurer's name (Resolução CNSP 431/2021).
 */
export const COMMISSION_KINDS = ['brokerage', 'agency', 'pro_labore', 'representative'] as const;

export type CommissionKind = (typeof COMMISSION_KINDS)[number];

/** A commission agreed with a channel, as a share of the net premium. */
export interface CommissionRate {
  readonly kind: CommissionKind;
  readonly rate: Rate;
}

/** A commission earned, in cents: base × rate, reduced if the cap requires it. */
export interface CommissionItem extends CommissionRate {
  readonly amount: Cents;
}

/** What a channel earns on a sale, and what it owes the service. */
export interface Commission {
  /** Max sum of all items, as a share of the base, rounded to the cent. */
  readonly cap: Rate;
  /** The net premium, without IOF. */
  readonly base: Cents;
  readonly items: readonly CommissionItem[];
  /** The sum of the items. */
  readonly amount: Cents;
  /**
   * Total premium (with IOF) less the commission. The channel owes it to the service if the channel
   * collected the premium. If the service collected, it owes the channel `amount`.
   */
  readonly netAmount: Cents;
}

/**
 * Calculates the commissions of a sale, and rounds each one. If their sum would exceed
 * `cap` × net premium, the last ones in the list are reduced.
 *
 * @example calculateCommission(premium, commissions, rate(400_000), 'half-up').amount // 3772
 * @throws RangeError for a wrong unit or word, which the compiler excludes
 */
export const calculateCommission = (
  { net, total }: Amounts,
  rates: readonly CommissionRate[],
  cap: Rate,
  rounding: Rounding,
): Commission => {
  checkCents('net', net);
  checkRate('the cap of commissions', cap);
  checkRounding(rounding);
  let left = share(net, cap, rounding);
  const items = rates.map(({ kind, rate }) => {
    checkRate(`the rate of ${kind}`, rate);
    const amount = min(share(net, rate, rounding), left);
    left = minus(left, amount);
    return { kind, rate, amount };
  });
  return sumCommission(cap, net, total, items);
};

/** Adds up the rates of all commissions, limited to the cap. */
export const sumCommissionRates = ({
  cap,
  items,
}: {
  readonly cap: Rate;
  readonly items: readonly Pick<CommissionRate, 'rate'>[];
}): Rate =>
  Math.min(
    cap,
    items.reduce((sum, { rate }) => sum + rate, 0),
  ) as Rate;

/** A commission after a refund. `kept + reversed` is the original, per item and in total. */
export interface CommissionAfterRefund {
  readonly kept: Commission;
  readonly reversed: Commission;
}

/**
 * Splits a commission when premium is refunded. The channel keeps the commission on the premium
 * that is left, at the same rates and cap, and per item at most the original amount. The rest is
 * reversed.
 */
export const splitCommissionAfterRefund = (
  sold: Commission,
  left: Amounts,
  rounding: Rounding,
): CommissionAfterRefund => {
  const { cap } = sold;
  const onWhatIsLeft = calculateCommission(left, sold.items, cap, rounding).items;
  const kept = sold.items.map((item, index) => ({
    ...item,
    amount: min(item.amount, amountAt(onWhatIsLeft, index)),
  }));
  const reversed = sold.items.map((item, index) => ({
    ...item,
    amount: minus(item.amount, amountAt(kept, index)),
  }));
  const reversedTotal = minus(plus(sold.amount, sold.netAmount), left.total);
  return {
    kept: sumCommission(cap, left.net, left.total, kept),
    reversed: sumCommission(cap, minus(sold.base, left.net), reversedTotal, reversed),
  };
};

const amountAt = (items: readonly CommissionItem[], index: number): Cents =>
  (items[index] as CommissionItem).amount;

/** A commission of these items on a premium. */
export const sumCommission = (
  cap: Rate,
  base: Cents,
  total: Cents,
  items: readonly CommissionItem[],
): Commission => {
  const amount = plus(...items.map((each) => each.amount));
  return { cap, base, items, amount, netAmount: minus(total, amount) };
};
