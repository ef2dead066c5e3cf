import { setTimeout as wait } from 'node:timers/promises';
import { businessDay, type CalendarDate, type Instant, instantOf } from '#domain';
import type { Clock, Timers } from '../../application/clock.ts';

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
    return businessDay(this.now());
  }

  dayOf(at: Instant): CalendarDate {
    return businessDay(at);
  }

  startOf(day: CalendarDate): Instant {
    // São Paulo has been two or three hours behind UTC since 1914. A day on which summer time
    // began starts at 1:00.
    const startAt = (hours: number): Instant =>
      instantOf(new Date(Date.parse(day) + hours * HOUR_MS));
    return businessDay(startAt(2)) === day ? startAt(2) : startAt(3);
  }
}

export const systemTimers: Timers = {
  every: (ms, work) => {
    const timer = setInterval(work, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  pause: (ms) => wait(ms, undefined, { ref: false }),
};
