import { addDays, addMonths, type CalendarDate } from './calendar.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The days covered, both included. */
export interface CoveragePeriod {
  readonly start: CalendarDate;
  readonly end: CalendarDate;
}

/**
 * How a plan finds its period: from the payment to the event; as the channel declares it;
 * or a number of months from the sale (the anniversary is the first day not covered).
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
  readonly declared?: CoveragePeriod;
}

const declaredPeriod = (rule: PeriodRule, days: SaleDays): CoveragePeriod | undefined => {
  if (rule.kind === 'declared') return days.declared;
  if (rule.kind === 'months') return { start: days.soldOn, end: addDays(addMonths(days.soldOn, rule.months), -1) };
  return days.paidOn && days.eventOn && { start: days.paidOn, end: days.eventOn };
};

/** The period covered, or a refusal where a day is missing or the end lies before the start. */
export const coveragePeriod = (rule: PeriodRule, days: SaleDays): CoveragePeriod | Refusal => {
  const period = declaredPeriod(rule, days);
  if (period === undefined) return refuse('period_not_declared');
  return period.end < period.start ? refuse('period_reversed') : period;
};
