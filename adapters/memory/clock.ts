import { type CalendarDate, calendarDate, type Instant, instantOf } from '#domain';
import type { Clock } from '../../application/clock.ts';

/** A clock that stands still until it is told to move. Business days are those of UTC. */
export class MemoryClock implements Clock {
  #now: number;

  /** @param start ISO 8601. */
  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now(): Instant {
    return instantOf(new Date(this.#now));
  }

  today(): CalendarDate {
    return this.dayOf(this.now());
  }

  dayOf(at: Instant): CalendarDate {
    return calendarDate(at.slice(0, 10)) as CalendarDate;
  }

  startOf(day: CalendarDate): Instant {
    return instantOf(new Date(day));
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
