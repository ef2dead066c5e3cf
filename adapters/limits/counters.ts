import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Count, Counters } from '../../application/counters.ts';

const MINUTE = 60;

/** The library needs a limit; here, whoever reads a count decides what is too much. */
const points = Number.MAX_SAFE_INTEGER;

const countOf = (usage: RateLimiterRes | null, duration: number): Count => ({
  count: usage?.consumedPoints ?? 0,
  resetsIn: Math.max(1, Math.ceil((usage?.msBeforeNext ?? duration * 1000) / 1000)),
});

/** Counts in this process alone. */
export class LocalCounters implements Counters {
  readonly #counts: RateLimiterMemory;
  readonly #duration: number;

  /** @param duration In seconds: what passes for a minute. */
  constructor(duration = MINUTE) {
    this.#duration = duration;
    this.#counts = new RateLimiterMemory({ points, duration });
  }

  async add(name: string): Promise<Count> {
    return countOf(await this.#counts.penalty(name), this.#duration);
  }

  async read(name: string): Promise<Count> {
    return countOf(await this.#counts.get(name), this.#duration);
  }

  /** Takes over what is known elsewhere. */
  async put(name: string, count: number, milliseconds: number): Promise<void> {
    // Without an end it would be counted for ever.
    if (milliseconds > 0) await this.#counts.set(name, count, milliseconds / 1000);
    else await this.#counts.delete(name);
  }
}

/** Runs a statement on a PostgreSQL that the processes share. */
type Query = (statement: { readonly name: string; readonly text: string; readonly values: unknown[] }) => Promise<{
  readonly rows: readonly unknown[];
}>;

/** Milliseconds during which additions gather before the store is told of them. */
const GATHER = 100;

/** More names than this are not told of at once; what is over counts in this process only. */
const MOST_NAMES = 10_000;

/**
 * Counts here at once, and shortly after adds what was counted to a table of all processes, from which it learns the sum.
 * A request never waits for the table.
 */
export class SharedCounters implements Counters {
  readonly #here: LocalCounters;
  readonly #everywhere: RateLimiterPostgres;
  #untold = new Map<string, number>();
  #telling = false;

  constructor(query: Query, duration = MINUTE) {
    this.#here = new LocalCounters(duration);
    const table = { tableName: 'rate_limit', tableCreated: true, keyPrefix: '' };
    this.#everywhere = new RateLimiterPostgres({ storeClient: { query }, storeType: 'client', ...table, points, duration });
  }

  add(name: string): Promise<Count> {
    if (this.#untold.has(name) || this.#untold.size < MOST_NAMES) this.#untold.set(name, (this.#untold.get(name) ?? 0) + 1);
    this.#tellSoon();
    return this.#here.add(name);
  }

  read(name: string): Promise<Count> {
    return this.#here.read(name);
  }

  #tellSoon(): void {
    if (this.#telling || this.#untold.size === 0) return;
    this.#telling = true;
    setTimeout(() => void this.#tell(), GATHER).unref();
  }

  async #tell(): Promise<void> {
    const telling = this.#untold;
    this.#untold = new Map();
    for (const [name, count] of telling) {
      try {
        const { consumedPoints, msBeforeNext } = await this.#everywhere.penalty(name, count);
        await this.#here.put(name, consumedPoints + (this.#untold.get(name) ?? 0), msBeforeNext);
      } catch {
        // The store is out of reach, or has no place for the name: what is counted here goes on counting here.
      }
    }
    this.#telling = false;
    this.#tellSoon();
  }
}

/** Where nothing is limited, nothing needs counting. */
export class NoCounters implements Counters {
  async add(): Promise<Count> {
    return countOf(null, MINUTE);
  }

  async read(): Promise<Count> {
    return countOf(null, MINUTE);
  }
}
