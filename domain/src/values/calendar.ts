declare const calendar: unique symbol;

/** A day of the civil calendar, `YYYY-MM-DD`, 1900 to 2199. Days compare as text: `a < b` is "a before b". */
export type CalendarDate = string & { readonly [calendar]: 'day' };

/** A point in time, ISO 8601 in UTC with milliseconds: `2026-11-20T12:00:00.000Z`. Instants compare as text. */
export type Instant = string & { readonly [calendar]: 'instant' };

const DAY_IN_MILLISECONDS = 86_400_000;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Months count from 0. */
const daysIn = (year: number, month: number): number => (month === 1 && isLeap(year) ? 29 : (LENGTHS[month] as number));

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** The date, or undefined when `text` is not a real day (`2026-02-30`) in the supported years. */
export const calendarDate = (text: string): CalendarDate | undefined => {
  if (!/^(19|20|21)\d\d-(0[1-9]|1[0-2])-\d\d$/.test(text)) return undefined;
  const day = Number(text.slice(8));
  const real = day >= 1 && day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1);
  return real ? (text as CalendarDate) : undefined;
};

/** The instant, or undefined when `text` is not one in exactly this form. */
export const instant = (text: string): Instant | undefined => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return undefined;
  const read = new Date(text);
  return !Number.isNaN(read.getTime()) && read.toISOString() === text ? (text as Instant) : undefined;
};

/** The instant of a `Date`. @throws RangeError when it is no valid one. */
export const instantOf = (date: Date): Instant => date.toISOString() as Instant;

/**
 * The same day `months` later, or the last day of that month where it has no such day (Código Civil, art. 132 § 3).
 * The result may lie beyond the years that are read from outside.
 */
export const addMonths = (date: CalendarDate, months: number): CalendarDate => {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const month = index % 12;
  const year = (index - month) / 12;
  const day = Math.min(Number(date.slice(8)), daysIn(year, month));
  return `${year}-${twoDigits(month + 1)}-${twoDigits(day)}` as CalendarDate;
};

/** `days` later, or earlier where negative. */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(date) + days * DAY_IN_MILLISECONDS).toISOString().slice(0, 10) as CalendarDate;

/** How many days `to` is after `from`; negative where it is before. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_IN_MILLISECONDS;

/** For people to read: `20/11/2026`. */
export const formatDate = (date: CalendarDate): string => `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
