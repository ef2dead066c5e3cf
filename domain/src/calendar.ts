declare const calendar: unique symbol;

/** A day of the civil calendar, `YYYY-MM-DD`, 1900 to 2199. Days compare as text: `a < b` is "a before b". */
export type CalendarDate = string & { readonly [calendar]: true };

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const pad = (value: number): string => String(value).padStart(2, '0');

/** The date, or undefined when `text` is not a real day (`2026-02-30`) in the supported years. */
export const calendarDate = (text: string): CalendarDate | undefined => {
  const match = /^(19|20|21)(\d\d)-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = text.split('-').map(Number) as [number, number, number];
  const real = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return real ? (text as CalendarDate) : undefined;
};

/** The same day `months` later, or the last day of that month where it has no such day (Código Civil, art. 132 § 3). */
export const addMonths = (date: CalendarDate, months: number): CalendarDate => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const index = year * 12 + (month - 1) + months;
  const [newYear, newMonth] = [Math.floor(index / 12), (index % 12) + 1];
  return `${newYear}-${pad(newMonth)}-${pad(Math.min(day, daysIn(newYear, newMonth)))}` as CalendarDate;
};

/** `days` later, or earlier where negative. */
export const addDays = (date: CalendarDate, days: number): CalendarDate => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10) as CalendarDate;
};
