import { type Rate, rate } from '../money/money.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { CalendarDate } from '../values/calendar.ts';

/**
 * Classes of insurance. Each has its own rate of IOF (tax on insurance operations).
 * `life`: life, personal accident, travel; `health`: private health care; `exempt`: zero rate;
 * `general`: all others.
 */
export const IOF_CLASSES = ['general', 'life', 'health', 'exempt'] as const;

export type IofClass = (typeof IOF_CLASSES)[number];

/** A rate in force since a day, until a later row of the same class replaces it. */
export interface IofRate {
  readonly iofClass: IofClass;
  readonly from: CalendarDate;
  readonly rate: Rate;
  /** The legal text that sets the rate. */
  readonly legalBasis: string;
}

const article22 = (item: string): string => `Decreto 6.306/2007, art. 22, § 1º, ${item}`;

const amended = (item: string): string => `${article22(item)} (redação do Decreto 6.339/2008)`;

const since2008 = '2008-01-03' as CalendarDate;

/** The rates in force: Decreto 6.306/2007, art. 22, as amended by Decreto 6.339/2008. */
export const IOF_RATES: readonly IofRate[] = Object.freeze<IofRate[]>([
  Object.freeze({ iofClass: 'exempt', from: since2008, rate: rate(0), legalBasis: article22('I') }),
  Object.freeze({
    iofClass: 'life',
    from: since2008,
    rate: rate(3_800),
    legalBasis: amended('II'),
  }),
  Object.freeze({
    iofClass: 'health',
    from: since2008,
    rate: rate(23_800),
    legalBasis: amended('III'),
  }),
  Object.freeze({
    iofClass: 'general',
    from: since2008,
    rate: rate(73_800),
    legalBasis: amended('IV'),
  }),
]);

/** Finds the rate of a class on a day. Refuses a day on which no rate is in force. */
export const findIofRate = (
  iofClass: IofClass,
  day: CalendarDate,
  rates: readonly IofRate[] = IOF_RATES,
): IofRate | Refusal<'iof_rate_missing'> => {
  let latest: IofRate | undefined;
  for (const each of rates) {
    const inForce = each.iofClass === iofClass && each.from <= day;
    if (inForce && (latest === undefined || each.from > latest.from)) latest = each;
  }
  return latest ?? refuse('iof_rate_missing');
};
