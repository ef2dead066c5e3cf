import { type CalendarDate, type Instant, instantOf, parseDate } from '#domain';
import type { Clock } from '../../application/clock.ts';

/** São Paulo is three hours behind UTC since 2019. */
const BEHIND_UTC_MS = 3 * 3_600_000;

/** A clock that moves only by `advance`. */
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
    return parseDate(
      new Date(Date.parse(at) - BEHIND_UTC_MS).toISOString().slice(0, 10),
    ) as CalendarDate;
  }

  startOf(day: CalendarDate): Instant {
    return instantOf(new Date(Date.parse(day) + BEHIND_UTC_MS));
  }

  advance(seconds: number): void {
    this.#now += seconds * 1000;
  }
}
