import type { Count } from '../../application/counters.ts';

/** What was counted under a name in its current window. */
interface Tally {
  count: number;
  /** When the window ends, ms of `performance.now`. */
  endsAt: number;
}

/** Expired tallies are removed when there are this many more than after the last removal. */
const REMOVE_AFTER = 10_000;

/** Counts by name in the memory of this process, in windows that begin with the first addition. */
export class Tallies {
  readonly #windowMs: number;
  readonly #tallies = new Map<string, Tally>();
  #removeAt = REMOVE_AFTER;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  add(name: string): Count {
    const now = performance.now();
    const current = this.#current(name, now);
    if (current !== undefined) {
      current.count += 1;
      return toCount(current, now);
    }

    const begun = { count: 1, endsAt: now + this.#windowMs };
    this.#tallies.set(name, begun);
    if (this.#tallies.size > this.#removeAt) this.#removeExpired(now);
    return toCount(begun, now);
  }

  read(name: string): Count {
    const now = performance.now();
    const none = { count: 0, endsAt: now + this.#windowMs };
    return toCount(this.#current(name, now) ?? none, now);
  }

  /** Replaces the count of a name; its window ends in `leftMs`. */
  put(name: string, count: number, leftMs: number): void {
    this.#tallies.set(name, { count, endsAt: performance.now() + leftMs });
  }

  #current(name: string, now: number): Tally | undefined {
    const tally = this.#tallies.get(name);
    return tally !== undefined && now < tally.endsAt ? tally : undefined;
  }

  #removeExpired(now: number): void {
    for (const [name, { endsAt }] of this.#tallies) if (endsAt <= now) this.#tallies.delete(name);
    this.#removeAt = this.#tallies.size + REMOVE_AFTER;
  }
}

const toCount = ({ count, endsAt }: Tally, now: number): Count => ({
  count,
  resetsIn: Math.max(1, Math.ceil((endsAt - now) / 1000)),
});
