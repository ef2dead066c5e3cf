import { type Refusal, refuse } from '../refusals/refusal.ts';
import { addDays, type CalendarDate, earliestDay } from '../values/calendar.ts';
import { type Rate, rate } from '../values/money.ts';

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

const since2027 = '2027-01-01' as CalendarDate;

/**
 * EC 132/2023, art. 3º, gives art. 153, V, of the Constitution a text without insurance, and art.
 * 23, I, sets the day: from 2027 no insurance operation bears IOF.
 */
const END_OF_IOF = 'EC 132/2023, arts. 3º e 23, I';

const ratesOf = (iofClass: IofClass, ppm: number, legalBasis: string): readonly IofRate[] => [
  Object.freeze({ iofClass, from: since2008, rate: rate(ppm), legalBasis }),
  Object.freeze({ iofClass, from: since2027, rate: rate(0), legalBasis: END_OF_IOF }),
];

/**
 * The rates set by law: Decreto 6.306/2007, art. 22, as amended by Decreto 6.339/2008, and their
 * end by EC 132/2023.
 *
 * @example IOF_RATES.filter((row) => row.iofClass === 'life').map((row) => row.rate) // [3800, 0]
 */
export const IOF_RATES: readonly IofRate[] = Object.freeze([
  ...ratesOf('exempt', 0, article22('I')),
  ...ratesOf('life', 3_800, amended('II')),
  ...ratesOf('health', 23_800, amended('III')),
  ...ratesOf('general', 73_800, amended('IV')),
]);

/**
 * Finds the rate of a class on a day. Refuses a day on which no rate is in force.
 *
 * @example findIofRate('general', on).rate // 73800
 */
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

/** The row of the IOF table that a price was calculated with. */
export interface RateUsed extends Pick<IofRate, 'rate' | 'legalBasis'> {
  /** The classes meant; absent: each whose rate and legal basis fit. */
  readonly iofClass?: IofClass | undefined;
  /** The day of the calculation. */
  readonly on: CalendarDate;
}

/**
 * The last day on which a price may be paid: the day before its class gets another rate. Undefined:
 * the table knows no end of the rate. Before the day of the calculation, if a row was added since
 * that was in force by then.
 *
 * @example lastDayOfRate({ ...iof, on }) // '2026-12-31'
 */
export const lastDayOfRate = (
  { rate: used, legalBasis, iofClass, on }: RateUsed,
  rates: readonly IofRate[] = IOF_RATES,
): CalendarDate | undefined => {
  const classes = iofClass === undefined ? IOF_CLASSES : [iofClass];
  const ends = classes.flatMap((each) => {
    const rows = rates.filter((row) => row.iofClass === each).sort(byDay);
    const fits = (row: IofRate) => row.rate === used && row.legalBasis === legalBasis;
    const own = rows.filter((row) => fits(row) && row.from <= on).at(-1);
    const next = own && rows.find((row) => row.from > own.from && row.rate !== used);
    return next === undefined ? [] : [addDays(next.from, -1)];
  });
  return earliestDay(...ends);
};

const byDay = (one: IofRate, other: IofRate): number => (one.from < other.from ? -1 : 1);
