import {
  type Cents,
  minus,
  plus,
  type Rate,
  type Rounding,
  share,
  smaller,
} from '../money/money.ts';
import type { Amounts } from './premium.ts';

/**
 * What commissions are paid for. `brokerage`: a broker's mediation (Lei 4.594/1964, art. 13); `agency`: bringing in the
 * client, paid once (agenciamento); `pro_labore`: a policyholder's administration of a group (Decreto-Lei 73/1966, art. 21);
 * `representative`: a channel that sells in the insurer's name (Resolução CNSP 431/2021).
 */
export const COMMISSION_KINDS = ['brokerage', 'agency', 'pro_labore', 'representative'] as const;

export type CommissionKind = (typeof COMMISSION_KINDS)[number];

/** A commission agreed with a channel. */
export interface CommissionRate {
  readonly kind: CommissionKind;
  readonly rate: Rate;
}

/** A commission earned: its base × its rate, or what the cap leaves of it. */
export interface CommissionItem extends CommissionRate {
  readonly amount: Cents;
}

/** What the channel keeps of a sale, and what it owes the service. */
export interface Commission {
  /** All items together are never more than this share of the base, rounded to the cent. */
  readonly cap: Rate;
  /** The net premium. The IOF is never part of it. */
  readonly base: Cents;
  readonly items: readonly CommissionItem[];
  /** The sum of the items. */
  readonly amount: Cents;
  /**
   * Total paid by the insured, IOF included, less the commission: what the channel owes the service where it collected.
   * Where the service collected, it owes the channel `amount`.
   */
  readonly netAmount: Cents;
}

/**
 * Every commission of a sale, each rounded by itself. Where their sum would exceed `cap` × net premium, the later ones
 * in the list give way.
 */
export const commissionOn = (
  { net, total }: Amounts,
  rates: readonly CommissionRate[],
  cap: Rate,
  rounding: Rounding,
): Commission => {
  let left = share(net, cap, rounding);
  const items = rates.map(({ kind, rate }) => {
    const amount = smaller(share(net, rate, rounding), left);
    left = minus(left, amount);
    return { kind, rate, amount };
  });
  return settled(cap, net, total, items);
};

/** The rate of all commissions together, as far as the cap leaves it. */
export const commissionRate = ({ cap, items }: Commission): Rate =>
  Math.min(
    cap,
    items.reduce((sum, { rate }) => sum + rate, 0),
  ) as Rate;

/** A commission taken apart by a refund: `kept + reversed` is what it was, item by item and in all, to the cent. */
export interface CommissionAfterRefund {
  readonly kept: Commission;
  readonly reversed: Commission;
}

/** The commission on what is left of a premium, by the same rates under the same cap and no item more than it was; the rest is reversed. */
export const commissionAfterRefund = (
  sold: Commission,
  left: Amounts,
  rounding: Rounding,
): CommissionAfterRefund => {
  const { cap } = sold;
  const onWhatIsLeft = commissionOn(left, sold.items, cap, rounding).items;
  const kept = sold.items.map((item, index) => ({
    ...item,
    amount: smaller(item.amount, amountAt(onWhatIsLeft, index)),
  }));
  const reversed = sold.items.map((item, index) => ({
    ...item,
    amount: minus(item.amount, amountAt(kept, index)),
  }));
  const reversedTotal = minus(plus(sold.amount, sold.netAmount), left.total);
  return {
    kept: settled(cap, left.net, left.total, kept),
    reversed: settled(cap, minus(sold.base, left.net), reversedTotal, reversed),
  };
};

const amountAt = (items: readonly CommissionItem[], index: number): Cents =>
  (items[index] as CommissionItem).amount;

const settled = (
  cap: Rate,
  base: Cents,
  total: Cents,
  items: readonly CommissionItem[],
): Commission => {
  const amount = plus(...items.map((each) => each.amount));
  return { cap, base, items, amount, netAmount: minus(total, amount) };
};
