import {
  type Commission,
  type CommissionAfterRefund,
  splitCommissionAfterRefund,
} from '../pricing/commission.ts';
import { type Amounts, amounts, type Premium } from '../pricing/premium.ts';
import { type CancellationRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import { addDays, type CalendarDate, daysBetween } from '../values/calendar.ts';
import {
  type Cents,
  max,
  minus,
  type Rate,
  rate,
  share,
  shareOfDays,
  ZERO,
} from '../values/money.ts';
import { findLegalPeriod } from './legal-periods.ts';
import { type CoveragePeriod, daysCovered } from './period.ts';

/**
 * What the insurer keeps of the premium after the withdrawal period: by days used, or by the short-
 * period table. The IOF is refunded in proportion (`refunded`) or not at all (`retained`).
 */
export interface CancellationRule {
  readonly kind: 'pro_rata' | 'short_period';
  readonly iof: 'retained' | 'refunded';
}

/**
 * Days used of a year, and the percent of the premium retained; all of it after the last row
 * (tabela de prazo curto, as in Circular SUSEP 256/2004; since Circular SUSEP 621/2021 the contract
 * decides).
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
 * The share of the premium retained after `usedDays` of a period, by the next row of the table. The
 * table is scaled from a year to the period. No day used retains nothing.
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

/** Why the channel cancels, by its own account. No rule depends on it. */
export const STATED_REASONS = [
  'withdrawal',
  'event_cancelled',
  'duplicate',
  'customer_request',
  'other',
] as const;

export interface StatedReason {
  readonly reason: (typeof STATED_REASONS)[number];
  /** In the channel's words. May hold personal data: it is in the evidence alone. */
  readonly text?: string;
}

/** An insurer that ends the contract keeps the premium of the days covered, without penalty. */
const INSURER_RULE: CancellationRule = { kind: 'pro_rata', iof: 'refunded' };

/** What a cancellation is calculated from. */
export interface Contract {
  readonly soldOn: CalendarDate;
  readonly paidOn: CalendarDate;
  readonly period: CoveragePeriod;
  readonly premium: Premium;
  readonly commission: Commission;
  readonly rule: CancellationRule;
  /** Who ends the contract. Default: the insured. */
  readonly by?: CancelledBy;
  /** Amounts paid so far; by default the whole premium. */
  readonly paid?: Amounts;
}

/** The amounts; in each `kept + refund = paid`, exactly. */
export interface CancellationFigures {
  /**
   * Not paid, or not the whole price; within the withdrawal period; after it; paid but never issued;
   * returned by the payer's bank; paid, and the money is not there, or not whole.
   */
  readonly reason:
    | 'not_paid'
    | 'withdrawal'
    | 'cancellation'
    | 'not_issued'
    | 'charged_back'
    | 'payment_lost';
  readonly by: CancelledBy;
  /** Absent if the channel stated none. */
  readonly stated?: StatedReason;
  readonly on: CalendarDate;
  /** Days covered, including the day of cancellation, and all days of the period. */
  readonly usedDays: number;
  readonly totalDays: number;
  readonly paid: Amounts;
  readonly kept: Amounts;
  readonly refund: Amounts;
  readonly commission: CommissionAfterRefund;
}

/**
 * Last day of the withdrawal period, which begins with the sale or the payment, whichever is later.
 * Its length is that of the day of the sale.
 */
export const lastDayOfWithdrawal = ({
  soldOn,
  paidOn,
}: Pick<Contract, 'soldOn' | 'paidOn'>): CalendarDate =>
  addDays(soldOn > paidOn ? soldOn : paidOn, findLegalPeriod('withdrawal', soldOn).days);

/**
 * The figures of a cancellation on a day. Refused before the sale, and after the coverage unless
 * the withdrawal period is still running.
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
  // IOF is only refunded together with premium.
  const keepsIof = rule.iof === 'retained' || net >= paid.net;
  return figures(contract, on, 'cancellation', {
    net,
    iof: keepsIof ? paid.iof : retain(premium.iof),
  });
};

const NOTHING = amounts(ZERO, ZERO);

type FullRefund = Exclude<CancellationFigures['reason'], 'cancellation'>;

/** Refunds all that was paid, and gives no commission. */
export const fullRefund = (
  contract: Contract,
  on: CalendarDate,
  reason: FullRefund,
): CancellationFigures => figures(contract, on, reason, NOTHING);

const daysUsed = (period: CoveragePeriod, on: CalendarDate): number =>
  Math.max(0, Math.min(daysBetween(period.start, on) + 1, daysCovered(period)));

const figures = (
  { period, premium, commission, by = 'insured', paid = premium }: Contract,
  on: CalendarDate,
  reason: CancellationFigures['reason'],
  retained: Pick<Amounts, 'net' | 'iof'>,
): CancellationFigures => {
  const refund = amounts(
    max(minus(paid.net, retained.net), ZERO),
    max(minus(paid.iof, retained.iof), ZERO),
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
