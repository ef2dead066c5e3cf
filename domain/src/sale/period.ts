import { type PeriodRefusal, type Refusal, refuse } from '../refusal.ts';
import {
  addDays,
  anniversary,
  type CalendarDate,
  daysBetween,
  type Instant,
} from '../values/calendar.ts';

/** The days covered, both included. */
export interface CoveragePeriod {
  readonly start: CalendarDate;
  readonly end: CalendarDate;
}

/**
 * How a plan finds its period: from the payment (or the sale, where it is still to be paid) to the event; as the channel
 * declares it; or a number of months from the sale (the anniversary is the first day not covered).
 */
export type PeriodRule =
  | { readonly kind: 'payment_to_event' }
  | { readonly kind: 'declared' }
  | { readonly kind: 'months'; readonly months: number };

/** The days a sale brings; which of them are needed depends on the rule. */
export interface SaleDays {
  readonly soldOn: CalendarDate;
  readonly paidOn?: CalendarDate;
  readonly eventOn?: CalendarDate;
  /** What the channel says. Where the rule finds the period by other days, it must be the same. */
  readonly declared?: CoveragePeriod;
}

const periodBy = (
  rule: PeriodRule,
  { soldOn, paidOn = soldOn, eventOn, declared }: SaleDays,
): CoveragePeriod | undefined => {
  if (rule.kind === 'declared') return declared;
  if (rule.kind === 'months')
    return { start: soldOn, end: addDays(anniversary(soldOn, rule.months), -1) };
  return eventOn && { start: paidOn, end: eventOn };
};

/** The period covered, or a refusal where a day is missing, the channel says other days, or the end lies before the start. */
export const coveragePeriod = (
  rule: PeriodRule,
  days: SaleDays,
): CoveragePeriod | Refusal<PeriodRefusal> => {
  const period = periodBy(rule, days);
  if (period === undefined) return refuse('period_not_declared');
  if (period.end < period.start) return refuse('period_reversed');
  const { start, end } = days.declared ?? period;
  return start === period.start && end === period.end ? period : refuse('period_differs');
};

/** How many days a period has, its first and last included. */
export const daysCovered = ({ start, end }: CoveragePeriod): number => daysBetween(start, end) + 1;

/** The same period in points of time: `from` is covered, `until` is the first moment that is not. */
export interface CoverageSpan {
  readonly from: Instant;
  readonly until: Instant;
}

/** When days begin where the insured lives (America/Sao_Paulo): the domain knows no time zones, so it is told. */
export type DayStarts = ReadonlyMap<CalendarDate, Instant>;

/**
 * From the start of the first day to the start of the day after the last.
 *
 * @throws RangeError when `dayStarts` lacks one of these two days.
 */
export const coverageSpan = (
  { start, end }: CoveragePeriod,
  dayStarts: DayStarts,
): CoverageSpan => {
  const startOf = (day: CalendarDate): Instant => {
    const found = dayStarts.get(day);
    if (found === undefined) throw new RangeError(`no start known of the day ${day}`);
    return found;
  };
  return { from: startOf(start), until: startOf(addDays(end, 1)) };
};

export const isCoveredAt = ({ from, until }: CoverageSpan, moment: Instant): boolean =>
  from <= moment && moment < until;
