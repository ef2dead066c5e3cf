declare const calendar: unique symbol;

/** A day of the civil calendar, `YYYY-MM-DD`, 1900 to 2199. Days compare as text: `a < b` is "a before b". */
export type CalendarDate = string & { readonly [calendar]: 'day' };

/** A point in time, ISO 8601 in UTC with milliseconds: `2026-11-20T12:00:00.000Z`. Instants compare as text. */
export type Instant = string & { readonly [calendar]: 'instant' };

const DAY_IN_MILLISECONDS = 86_400_000;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Months count from 0. */
const daysIn = (year: number, month: number): number =>
  month === 1 && isLeap(year) ? 29 : (LENGTHS[month] as number);

/** The number that two digits write. Read by their codes: twelve due dates a quote are not worth two dozen substrings. */
const twoAt = (text: string, at: number): number =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

const yearOf = (date: string): number => twoAt(date, 0) * 100 + twoAt(date, 2);

/** From 0. */
const monthOf = (date: string): number => twoAt(date, 5) - 1;

const dayOf = (date: string): number => twoAt(date, 8);

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`);

/** The date, or undefined when `text` is not a real day (`2026-02-30`) in the supported years. */
export const calendarDate = (text: string): CalendarDate | undefined => {
  if (!/^(19|20|21)\d\d-(0[1-9]|1[0-2])-\d\d$/.test(text)) return undefined;
  const real = dayOf(text) >= 1 && dayOf(text) <= daysIn(yearOf(text), monthOf(text));
  return real ? (text as CalendarDate) : undefined;
};

/** The instant, or undefined when `text` is not one in exactly this form. */
export const instant = (text: string): Instant | undefined => {
  const read = new Date(text);
  // Years beyond 9999 are written with a sign, and would not compare as text.
  const canonical =
    !Number.isNaN(read.getTime()) && read.toISOString() === text && /^\d/.test(text);
  return canonical ? (text as Instant) : undefined;
};

/** The instant of a `Date`. @throws RangeError when it is not valid, or its year has not four digits. */
export const instantOf = (date: Date): Instant => {
  const text = date.toISOString();
  if (!/^\d/.test(text)) throw new RangeError('not a year of four digits');
  return text as Instant;
};

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads an instant with its time zone, as RFC 3339 spells it, seconds or not: `2026-11-20T12:00-03:00`. Undefined for
 * anything else, and where its day is not one of the years 1900 to 2199 in every time zone.
 */
export const parseInstant = (text: string): Instant | undefined => {
  // `Date` would make the 3rd of March of the 31st of February.
  const isOne = RFC_3339.test(text) && calendarDate(text.slice(0, 10)) !== undefined;
  const read = new Date(isOne ? text : Number.NaN);
  if (Number.isNaN(read.getTime())) return undefined;
  const at = instantOf(read);
  return at > '1900-01-02' && at < '2199-12-31' ? at : undefined;
};

/**
 * The same day `months` later, or the last day of that month where it has no such day: how due dates move.
 * The result may lie beyond the years that are read from outside.
 */
export const addMonths = (date: CalendarDate, months: number): CalendarDate => {
  const index = yearOf(date) * 12 + monthOf(date) + months;
  const month = index % 12;
  const year = (index - month) / 12;
  const day = Math.min(dayOf(date), daysIn(year, month));
  return `${year}-${twoDigits(month + 1)}-${twoDigits(day)}` as CalendarDate;
};

/**
 * When a term of so many months that begins on `date` has run out: on the same day, or on the day after that month's last
 * where it has no such day (Código Civil, art. 132, § 3º).
 */
export const anniversary = (date: CalendarDate, months: number): CalendarDate => {
  const sameDay = addMonths(date, months);
  return dayOf(sameDay) === dayOf(date) ? sameDay : addDays(sameDay, 1);
};

/** `days` later, or earlier where negative. */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(date) + days * DAY_IN_MILLISECONDS)
    .toISOString()
    .slice(0, 10) as CalendarDate;

/** How many days `to` is after `from`; negative where it is before. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_IN_MILLISECONDS;

/** For people to read: `20/11/2026`. */
export const formatDate = (date: CalendarDate): string =>
  `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;
