import type { CalendarDate, Instant } from './calendar.ts';

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
