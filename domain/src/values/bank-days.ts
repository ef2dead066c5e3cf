import { addDays, type CalendarDate } from './calendar.ts';

/**
 * National bank holidays on a fixed day, `MM-DD` (Lei 662/1949, 6.802/1980, 14.759/2023), and
 * 31 December, on which banks serve no public.
 */
const FIXED: readonly string[] = [
  ...['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25', '12-31'],
];

/** Days from Easter Sunday to carnival Monday and Tuesday, Good Friday and Corpus Christi. */
const FROM_EASTER: readonly number[] = [-48, -47, -2, 60];

/** Easter Sunday of a Gregorian year, by the algorithm of Meeus, Jones and Butcher. */
const easterOf = (year: number): CalendarDate => {
  const [golden, century, inCentury] = [year % 19, Math.trunc(year / 100), year % 100];
  const moon = Math.trunc((century - Math.trunc((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.trunc(century / 4) - moon + 15) % 30;
  const leaps = 2 * (century % 4) + 2 * Math.trunc(inCentury / 4);
  const weekday = (32 + leaps - epact - (inCentury % 4)) % 7;
  const shift = Math.trunc((golden + 11 * epact + 22 * weekday) / 451);
  return addDays(`${year}-03-22` as CalendarDate, epact + weekday - 7 * shift);
};

/** Whether banks work on a day: not on weekends and national bank holidays. */
export const isBankDay = (day: CalendarDate): boolean => {
  const weekday = new Date(day).getUTCDay();
  if (weekday === 0 || weekday === 6 || FIXED.includes(day.slice(5))) return false;
  const easter = easterOf(Number(day.slice(0, 4)));
  return !FROM_EASTER.some((days) => addDays(easter, days) === day);
};

/** The day itself if banks work on it; otherwise the next one on which they do. */
export const bankDayFrom = (day: CalendarDate): CalendarDate =>
  isBankDay(day) ? day : bankDayFrom(addDays(day, 1));

/** The bank day that comes `count` bank days after a day; `count` ≥ 1. */
export const addBankDays = (day: CalendarDate, count: number): CalendarDate => {
  const next = bankDayFrom(addDays(day, 1));
  return count > 1 ? addBankDays(next, count - 1) : next;
};

/**
 * The last day on which a bank reports a boleto that could be paid until a day: it may be paid on
 * the first bank day from then on, and is reported on the next one.
 */
export const lastReportDay = (payableUntil: CalendarDate): CalendarDate =>
  addBankDays(bankDayFrom(payableUntil), 1);

/** Days after its due date on which a boleto may be paid. */
export const BOLETO_GRACE_DAYS = 3;

/** The last day on which a bank reports a boleto that was due on a day, which may be paid some days later. */
export const lastDayOfBoleto = (dueOn: CalendarDate): CalendarDate =>
  lastReportDay(addDays(dueOn, BOLETO_GRACE_DAYS));
