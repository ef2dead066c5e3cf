declare const calendar: unique symbol;

/** A calendar day, `YYYY-MM-DD`, 1900 to 2199. Compare days as text: `a < b` means a before b. */
export type CalendarDate = string & { readonly [calendar]: 'day' };

/** A point in time in UTC, with ms: `2026-11-20T12:00:00.000Z`. Compare instants as text. */
export type Instant = string & { readonly [calendar]: 'instant' };

const DAY_MS = 86_400_000;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** `month` counts from 0. */
const daysIn = (year: number, month: number): number =>
  month === 1 && isLeap(year) ? 29 : (LENGTHS[month] as number);

/** Reads two digits by their character codes: `slice` and `Number` would be slower. */
const twoAt = (text: string, at: number): number =>
  (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;

const yearOf = (date: string): number => twoAt(date, 0) * 100 + twoAt(date, 2);

/** Counts from 0. */
const monthOf = (date: string): number => twoAt(date, 5) - 1;

const dayOf = (date: string): number => twoAt(date, 8);

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

const twoDigits = (value: number): string => TWO_DIGITS[value] as string;

/**
 * Reads `YYYY-MM-DD`. Undefined for a day that does not exist, and for years not supported.
 *
 * @example parseDate('2026-02-29') // undefined
 */
export const parseDate = (given: unknown): CalendarDate | undefined => {
  const text = given as string;
  if (typeof given !== 'string' || !/^(19|20|21)\d\d-(0[1-9]|1[0-2])-\d\d$/.test(text))
    return undefined;
  const real = dayOf(text) >= 1 && dayOf(text) <= daysIn(yearOf(text), monthOf(text));
  return real ? (text as CalendarDate) : undefined;
};

/**
 * Converts a `Date`.
 *
 * @example instantOf(new Date(0)) // '1970-01-01T00:00:00.000Z'
 * @throws RangeError when it is invalid, or its year is above 9999.
 */
export const instantOf = (date: Date): Instant => {
  const text = date.toISOString();
  if (!/^\d/.test(text)) throw new RangeError('not a year of four digits');
  return text as Instant;
};

/** `Date` would also take the hour 24, as the next day. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/**
 * Reads an RFC 3339 date-time, with or without seconds. Digits after the millisecond are cut off.
 *
 * Undefined for anything else, and for a day that lies outside 1900 to 2199 in some time zone.
 *
 * @example parseInstant('2026-11-20T12:00-03:00') // '2026-11-20T15:00:00.000Z'
 */
export const parseInstant = (given: unknown): Instant | undefined => {
  const text = typeof given === 'string' ? given : '';
  // `Date` alone would read the 31st of February as the 3rd of March.
  const isOne = RFC_3339.test(text) && parseDate(text.slice(0, 10)) !== undefined;
  const read = new Date(isOne ? text.toUpperCase() : Number.NaN);
  if (Number.isNaN(read.getTime())) return undefined;
  const at = instantOf(read);
  return at > '1900-01-02' && at < '2199-12-31' ? at : undefined;
};

/**
 * Adds months. Gives the last day of a month that is too short: this is how due dates move.
 * The result may lie beyond 2199.
 *
 * @example addMonths(parseDate('2026-01-31'), 1) // '2026-02-28'
 */
export const addMonths = (date: CalendarDate, months: number): CalendarDate => {
  const index = yearOf(date) * 12 + monthOf(date) + months;
  const month = index % 12;
  const year = (index - month) / 12;
  const day = Math.min(dayOf(date), daysIn(year, month));
  return `${year}-${twoDigits(month + 1)}-${twoDigits(day)}` as CalendarDate;
};

/**
 * Finds the day on which a term of `months` that begins on `date` has expired: the same day of the
 * month, or the first day of the next month if the month is too short (Código Civil, art. 132,
 * § 3º).
 */
export const anniversary = (date: CalendarDate, months: number): CalendarDate => {
  const sameDay = addMonths(date, months);
  return dayOf(sameDay) === dayOf(date) ? sameDay : addDays(sameDay, 1);
};

/** Adds days, which may be negative. @example addDays(on, 1) // '2026-11-21' */
export const addDays = (date: CalendarDate, days: number): CalendarDate =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10) as CalendarDate;

/**
 * Counts the days from `from` to `to`. Negative if `to` is earlier.
 *
 * @example daysBetween(on, addDays(on, 7)) // 7
 */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** The first of the days that are known. @example earliestDay(undefined, on) // on */
export const earliestDay = (
  ...days: readonly (CalendarDate | undefined)[]
): CalendarDate | undefined => days.filter((day) => day !== undefined).sort()[0];

/** Writes a day for people. @example formatDate(on) // '20/11/2026' */
export const formatDate = (date: CalendarDate): string =>
  `${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`;

let saoPaulo: Intl.DateTimeFormat | undefined;

/** The last answer and its hour: programs ask for the same day again and again. */
let known = { hour: '', day: '' as CalendarDate };

/**
 * The day in São Paulo at an instant, by the IANA zone: the day of sales, taxes and periods.
 *
 * @example businessDay(instantOf(new Date('2026-11-21T02:30Z'))) // '2026-11-20'
 */
export const businessDay = (at: Instant): CalendarDate => {
  // Since 1914 São Paulo's offset from UTC is whole hours, so no day begins within one.
  const hour = at.slice(0, 'YYYY-MM-DDTHH'.length);
  if (hour !== known.hour) {
    saoPaulo ??= new Intl.DateTimeFormat('en-CA', {
      timeZone: 'America/Sao_Paulo',
      ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    });
    known = { hour, day: saoPaulo.format(Date.parse(at)) as CalendarDate };
  }
  return known.day;
};
