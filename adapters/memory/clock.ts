import { type CalendarDate, calendarDate, type Instant, instantOf } from '#domain';
import type { Clock } from '../../application/clock.ts';

/** Three hours behind UTC, as São Paulo is since 2019. */
const OFFSET = 3 * 3_600_000;

/** A clock that stands still until it is told to move. */
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
    return calendarDate(
      new Date(Date.parse(at) - OFFSET).toISOString().slice(0, 10),
    ) as CalendarDate;
  }

  startOf(day: CalendarDate): Instant {
    return instantOf(new Date(Date.parse(day) + OFFSET));
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
