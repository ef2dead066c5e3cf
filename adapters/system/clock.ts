import { type CalendarDate, calendarDate, type Instant, instantOf } from '#domain';
import type { Clock } from '../../application/clock.ts';

const saoPaulo = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

const HOUR = 3_600_000;

/** The machine's clock; the business day is São Paulo's, by the IANA zone. */
export class SystemClock implements Clock {
  /** What was said last, and the millisecond it was said of: requests that come together ask again and again. */
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
    // São Paulo has been two or three hours behind UTC since 1914, and midnight itself is left out where summer time began.
    const hours = businessDay(Date.parse(day) + 2 * HOUR) === day ? 2 : 3;
    return instantOf(new Date(Date.parse(day) + hours * HOUR));
  }
}

/** The hour that was asked for last, and its day: every request asks for today. */
let known = { hour: Number.NaN, day: '' as CalendarDate };

/** The day it is in São Paulo at that instant (milliseconds since 1970). */
export const businessDay = (instant: number): CalendarDate => {
  // Since 1914 São Paulo has kept whole hours from UTC: no day begins within one.
  const hour = Math.floor(instant / HOUR);
  if (hour !== known.hour)
    known = { hour, day: calendarDate(saoPaulo.format(instant)) as CalendarDate };
  return known.day;
};
