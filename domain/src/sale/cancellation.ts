import {
  type Cents,
  larger,
  minus,
  type Rate,
  rate,
  share,
  shareOfDays,
  ZERO,
} from '../money/money.ts';
import {
  type Commission,
  type CommissionAfterRefund,
  splitCommissionAfterRefund,
} from '../pricing/commission.ts';
import { type Amounts, amounts, type Premium } from '../pricing/premium.ts';
import { type CancellationRefusal, type Refusal, refuse } from '../refusal.ts';
import { addDays, type CalendarDate, daysBetween } from '../values/calendar.ts';
import { type CoveragePeriod, daysCovered } from './period.ts';

/** Within so many days of the purchase the insured may withdraw and gets everything back (Lei 8.078/1990, CDC, art. 49). */
export const WITHDRAWAL_DAYS = 7;

/**
 * What the insurer keeps of a premium when the insured cancels later: the days used, or the share that the short-period
 * table gives for them. The IOF goes back in the same proportion (`refunded`), or stays paid (`retained`).
 */
export interface CancellationRule {
  readonly kind: 'pro_rata' | 'short_period';
  readonly iof: 'retained' | 'refunded';
}

/**
 * Days used of a year, and the percent of the premium retained; after the last row, all of it (tabela de prazo
 * curto, as in Circular SUSEP 256/2004; since Circular SUSEP 621/2021 revoked it, a matter of the contract).
 */
const SHORT_PERIOD: readonly (readonly [days: number, percent: number])[] = [
  [15, 13],
  [30, 20],
  [45, 27],
  [60, 30],
  [75, 37],
  [90, 40],
  [105, 46],
  [120, 50],
  [135, 56],
  [150, 60],
  [165, 66],
  [180, 70],
  [195, 73],
  [210, 75],
  [225, 78],
  [240, 80],
  [255, 83],
  [270, 85],
  [285, 88],
  [300, 90],
  [315, 93],
  [330, 95],
  [345, 98],
];

const YEAR = 365;

/**
 * The share of the premium retained after so many days of a period, by the next row of the table; the table's days are
 * those of a year, and are stretched or shrunk to the period. No day used retains nothing.
 *
 * @throws RangeError unless both are whole numbers with 0 ≤ usedDays ≤ totalDays.
 */
export const shortPeriodRate = (usedDays: number, totalDays: number): Rate => {
  if (
    !Number.isInteger(usedDays) ||
    !Number.isInteger(totalDays) ||
    usedDays < 0 ||
    totalDays < usedDays
  ) {
    throw new RangeError(`not a part of the days: ${usedDays} of ${totalDays}`);
  }
  if (usedDays === 0) return rate(0);
  const row = SHORT_PERIOD.find(([days]) => usedDays * YEAR <= days * totalDays);
  return rate((row?.[1] ?? 100) * 10_000);
};

/** Who ends the contract. */
export type CancelledBy = 'insured' | 'insurer';

/** An insurer that ends the contract keeps what it has earned by the day, and no penalty. */
const INSURER_RULE: CancellationRule = { kind: 'pro_rata', iof: 'refunded' };

/** What a cancellation is worked out from. */
export interface Contract {
  readonly soldOn: CalendarDate;
  readonly paidOn: CalendarDate;
  readonly period: CoveragePeriod;
  readonly premium: Premium;
  readonly commission: Commission;
  readonly rule: CancellationRule;
  /** Who ends it; absent, the insured. */
  readonly by?: CancelledBy;
  /** What has been paid so far; absent, the whole premium. */
  readonly paid?: Amounts;
}

/** `kept + refund = paid`, always, to the cent, in each of the amounts. */
export interface CancellationFigures {
  /** Nothing was paid; within the days of withdrawal; after them; paid but never issued; taken back by the payer's bank. */
  readonly reason: 'not_paid' | 'withdrawal' | 'cancellation' | 'not_issued' | 'charged_back';
  readonly by: CancelledBy;
  readonly on: CalendarDate;
  /** Days of the period that were covered, the day of cancellation among them, and all of its days. */
  readonly usedDays: number;
  readonly totalDays: number;
  readonly paid: Amounts;
  readonly kept: Amounts;
  readonly refund: Amounts;
  readonly commission: CommissionAfterRefund;
}

/** The last day on which the insured may withdraw: seven days after the sale or its payment, whichever came last. */
export const lastDayOfWithdrawal = ({
  soldOn,
  paidOn,
}: Pick<Contract, 'soldOn' | 'paidOn'>): CalendarDate =>
  addDays(soldOn > paidOn ? soldOn : paidOn, WITHDRAWAL_DAYS);

/**
 * What a cancellation on a day would give; the act itself takes these figures and no others.
 * Refused before the sale, and once the coverage has run out, unless the days of withdrawal have not.
 */
export const cancellationOn = (
  contract: Contract,
  on: CalendarDate,
): CancellationFigures | Refusal<CancellationRefusal> => {
  if (on < contract.soldOn) return refuse('cancelled_before_sale');
  if (contract.by !== 'insurer' && on <= lastDayOfWithdrawal(contract))
    return fullRefund(contract, on, 'withdrawal');
  if (on > contract.period.end) return refuse('coverage_ended');

  const { premium, paid = premium } = contract;
  const rule = contract.by === 'insurer' ? INSURER_RULE : contract.rule;
  const totalDays = daysCovered(contract.period);
  const usedDays = daysUsed(contract.period, on);
  const retain = (amount: Cents): Cents =>
    rule.kind === 'pro_rata'
      ? shareOfDays(amount, usedDays, totalDays, premium.rounding)
      : share(amount, shortPeriodRate(usedDays, totalDays), premium.rounding);
  const net = retain(premium.net);
  // IOF that was paid goes back, if at all, only with premium that goes back.
  const keepsIof = rule.iof === 'retained' || net >= paid.net;
  return figures(contract, on, 'cancellation', {
    net,
    iof: keepsIof ? paid.iof : retain(premium.iof),
  });
};

const NOTHING = amounts(ZERO, ZERO);

type FullRefund = Exclude<CancellationFigures['reason'], 'not_paid' | 'cancellation'>;

/** Everything goes back. */
export const fullRefund = (
  contract: Contract,
  on: CalendarDate,
  reason: FullRefund,
): CancellationFigures => figures(contract, on, reason, NOTHING);

/** There is nothing to give back, and no commission was earned. */
export const nothingPaid = (contract: Contract, on: CalendarDate): CancellationFigures =>
  figures({ ...contract, paid: NOTHING }, on, 'not_paid', NOTHING);

const daysUsed = (period: CoveragePeriod, on: CalendarDate): number =>
  Math.max(0, Math.min(daysBetween(period.start, on) + 1, daysCovered(period)));

const figures = (
  { period, premium, commission, by = 'insured', paid = premium }: Contract,
  on: CalendarDate,
  reason: CancellationFigures['reason'],
  retained: Pick<Amounts, 'net' | 'iof'>,
): CancellationFigures => {
  const refund = amounts(
    larger(minus(paid.net, retained.net), ZERO),
    larger(minus(paid.iof, retained.iof), ZERO),
  );
  const kept = amounts(minus(paid.net, refund.net), minus(paid.iof, refund.iof));
  return {
    reason,
    by,
    on,
    usedDays: daysUsed(period, on),
    totalDays: daysCovered(period),
    paid: amounts(paid.net, paid.iof),
    kept,
    refund,
    commission: splitCommissionAfterRefund(commission, kept, premium.rounding),
  };
};
