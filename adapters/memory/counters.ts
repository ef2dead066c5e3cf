import type { Clock } from '../../application/clock.ts';
import type { Count, Counters } from '../../application/counters.ts';

const WINDOW_MS = 60_000;

/** Counts in windows of a minute, by a clock that a test may stop. */
export class MemoryCounters implements Counters {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #counts = new Map<string, { count: number; readonly until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  add(name: string): Count {
    const now = Date.parse(this.#clock.now());
    const counted = this.#current(name, now) ?? { count: 0, until: now + WINDOW_MS };
    counted.count += 1;
    this.#counts.set(name, counted);
    return this.read(name);
  }

  read(name: string): Count {
    const now = Date.parse(this.#clock.now());
    const { count, until } = this.#current(name, now) ?? { count: 0, until: now + WINDOW_MS };
    return { count, resetsIn: Math.ceil((until - now) / 1000) };
  }

  #current(name: string, now: number) {
    const counted = this.#counts.get(name);
    return counted && now < counted.until ? counted : undefined;
  }
}
