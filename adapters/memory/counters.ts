import type { Clock } from '../../application/clock.ts';
import type { Count, Counters } from '../../application/counters.ts';

const MINUTE = 60_000;

/** Counts by a clock that may stand still. */
export class MemoryCounters implements Counters {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #counts = new Map<string, { count: number; readonly until: number }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  async add(name: string): Promise<Count> {
    const now = Date.parse(this.#clock.now());
    const counted = this.#living(name, now) ?? { count: 0, until: now + MINUTE };
    counted.count += 1;
    this.#counts.set(name, counted);
    return this.read(name);
  }

  async read(name: string): Promise<Count> {
    const now = Date.parse(this.#clock.now());
    const { count, until } = this.#living(name, now) ?? { count: 0, until: now + MINUTE };
    return { count, resetsIn: Math.ceil((until - now) / 1000) };
  }

  #living(name: string, now: number) {
    const counted = this.#counts.get(name);
    return counted && now < counted.until ? counted : undefined;
  }
}
