import { randomFillSync } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { decodeTime, ulid } from 'ulid';
import { businessDay, type CalendarDate, type Instant, instantOf } from '#domain';
import type { Clock, Timers } from '../../application/clock.ts';
import type { Identifiers } from '../../application/identifiers.ts';

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

/** 48 bits of time and 80 random bits, in Crockford's base 32. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** ULIDs: a time stamp, then 80 random bits. New ids go to the end of an index. */
export class UlidIdentifiers implements Identifiers {
  /** Random bytes for many ids: to ask for those of each id takes 2 µs more. */
  readonly #random = Buffer.alloc(4_096);
  #used = this.#random.length;

  next(): string {
    // Each of the 16 random characters takes 5 bits of a byte of its own.
    return ulid(undefined, () => {
      if (this.#used === this.#random.length) {
        randomFillSync(this.#random);
        this.#used = 0;
      }
      const byte = this.#random[this.#used] as number;
      this.#used += 1;
      return byte / 256;
    });
  }

  timeOf(identifier: string): Instant | undefined {
    return ULID.test(identifier) ? instantOf(new Date(decodeTime(identifier))) : undefined;
  }
}
