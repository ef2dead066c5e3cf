import { type PeriodRefusal, type Refusal, refuse } from '../refusals/refusal.ts';
import { addDays, anniversary, type CalendarDate, daysBetween } from '../values/calendar.ts';

/** The days covered, inclusive. */
export interface CoveragePeriod {
  readonly start: CalendarDate;
  readonly end: CalendarDate;
}

/**
 * How a plan sets its period: from payment (or sale, if unpaid) to the event; as declared by the
 * channel; or a number of months from the sale (the anniversary is not covered).
 */
export type PeriodRule =
  | { readonly kind: 'payment_to_event' }
  | { readonly kind: 'declared' }
  | { readonly kind: 'months'; readonly months: number };

/** The dates of a sale; the rule decides which are needed. */
export interface SaleDays {
  readonly soldOn: CalendarDate;
  readonly paidOn?: CalendarDate;
  readonly eventOn?: CalendarDate;
  /** Declared by the channel. If the rule sets the period, it must be equal. */
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

/**
 * The coverage period. Refused if a date is missing, the declared period differs, or the end is
 * before the start.
 */
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

/** Number of days, first and last included. */
export const daysCovered = ({ start, end }: CoveragePeriod): number => daysBetween(start, end) + 1;
