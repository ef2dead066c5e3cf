import { type CalendarDate, calendarDate, type Instant, instantOf } from '#domain';
import type { Clock } from '../../application/clock.ts';

const saoPaulo = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** The machine's clock; the business day is São Paulo's, by the IANA zone. */
export class SystemClock implements Clock {
  now(): Instant {
    return instantOf(new Date());
  }

  today(): CalendarDate {
    return businessDay(Date.now());
  }
}

/** The day it is in São Paulo at that instant (milliseconds since 1970). */
export const businessDay = (instant: number): CalendarDate => calendarDate(saoPaulo.format(instant)) as CalendarDate;
