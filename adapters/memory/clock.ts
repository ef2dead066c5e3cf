import { type CalendarDate, calendarDate, type Instant, instantOf } from '#domain';
import type { Clock } from '../../application/clock.ts';

/** A clock that stands still until it is told to move. Its business day is the one of the instant it shows, in UTC. */
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
    return calendarDate(this.now().slice(0, 10)) as CalendarDate;
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
