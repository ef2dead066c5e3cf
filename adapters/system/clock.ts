import { type CalendarDate, type Instant, instantOf, parseDate } from '#domain';
import type { Clock } from '../../application/clock.ts';

const saoPaulo = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

const HOUR_MS = 3_600_000;

/** The machine's clock; the business day is São Paulo's, by the IANA zone. */
export class SystemClock implements Clock {
  /** The last answer and its millisecond, because requests of one millisecond ask many times. */
  #now = { millisecond: Number.NaN, instant: '' as Instant };

  now(): Instant {
    const millisecond = Date.now();
    if (millisecond !== this.#now.millisecond)
      this.#now = { millisecond, instant: instantOf(new Date(millisecond)) };
    return this.#now.instant;
  }

  today(): CalendarDate {
    return businessDay(Date.now());
  }

  dayOf(at: Instant): CalendarDate {
    return businessDay(Date.parse(at));
  }

  startOf(day: CalendarDate): Instant {
    // São Paulo has been two or three hours behind UTC since 1914. A day on which summer time
    // began starts at 1:00.
    const hours = businessDay(Date.parse(day) + 2 * HOUR_MS) === day ? 2 : 3;
    return instantOf(new Date(Date.parse(day) + hours * HOUR_MS));
  }
}

/** The last answer and its hour since 1970, because every request asks for today. */
let known = { hour: Number.NaN, day: '' as CalendarDate };

/** The day in São Paulo at a time, given in ms since 1970. */
export const businessDay = (instant: number): CalendarDate => {
  // Since 1914 São Paulo's offset from UTC is whole hours, so no day begins within one.
  const hour = Math.floor(instant / HOUR_MS);
  if (hour !== known.hour)
    known = { hour, day: parseDate(saoPaulo.format(instant)) as CalendarDate };
  return known.day;
};
