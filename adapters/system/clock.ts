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
  now(): Instant {
    return instantOf(new Date());
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

/** The day it is in São Paulo at that instant (milliseconds since 1970). */
export const businessDay = (instant: number): CalendarDate => calendarDate(saoPaulo.format(instant)) as CalendarDate;
