import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
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
type Run = (
  statement: { readonly name: string; readonly text: string },
  values: unknown[],
) => Promise<readonly unknown[]>;

/** Milliseconds during which additions gather before the store is told of them. */
const GATHER = 200;

/** More names than this are not told of at once; what is over counts in this process only. */
const MOST_NAMES = 10_000;

/** A longer name has no place in the table, and counts in this process only. */
const LONGEST_NAME = 255;

/** Once an hour is over, nobody asks for a minute of it any more. */
const [FORGET_AFTER, FORGET_EVERY] = [3_600_000, 300_000];

// All that gathered in one statement: with hundreds of partners at once, one each would cost as much as their sales. In the
// order of the names, so that two processes do not wait for one another.
const tell = {
  name: 'count-together',
  text: `
    insert into rate_limit as known (key, points, expire)
    select name, count, $3::bigint + $4::bigint from unnest($1::text[], $2::integer[]) as told (name, count) order by name
    on conflict (key) do update set
      points = case when known.expire <= $3 then excluded.points else known.points + excluded.points end,
      expire = case when known.expire <= $3 then excluded.expire else known.expire end
    returning key as name, points as count, (expire - $3)::integer as left`,
};

const forget = { name: 'forget-counts', text: 'delete from rate_limit where expire < $1' };

interface Told {
  readonly name: string;
  readonly count: number;
  /** Milliseconds. */
  readonly left: number;
}

/**
 * Counts here at once, and shortly after adds what was counted to a table of all processes, from which it learns the sums.
 * A request never waits for the table.
 */
export class SharedCounters implements Counters {
  readonly #here: LocalCounters;
  readonly #run: Run;
  readonly #duration: number;
  #untold = new Map<string, number>();
  #telling = false;
  #forgotAt = Date.now();

  constructor(run: Run, duration = MINUTE) {
    this.#here = new LocalCounters(duration);
    this.#run = run;
    this.#duration = duration;
  }

  add(name: string): Promise<Count> {
    const untold = this.#untold.get(name) ?? 0;
    if (untold > 0 || (this.#untold.size < MOST_NAMES && name.length <= LONGEST_NAME))
      this.#untold.set(name, untold + 1);
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
    try {
      const values = [
        [...telling.keys()],
        [...telling.values()],
        Date.now(),
        this.#duration * 1000,
      ];
      const sums = (await this.#run(tell, values)) as readonly Told[];
      for (const { name, count, left } of sums) {
        const sum = count + (this.#untold.get(name) ?? 0);
        // Where nobody else counts, it is known already.
        if (sum !== (await this.#here.read(name)).count) await this.#here.put(name, sum, left);
      }
      await this.#forgetOld();
    } catch {
      // The store is out of reach: what is counted here goes on counting here, and is told the next time.
      for (const [name, count] of telling)
        this.#untold.set(name, count + (this.#untold.get(name) ?? 0));
    }
    this.#telling = false;
    this.#tellSoon();
  }

  async #forgetOld(): Promise<void> {
    const now = Date.now();
    if (now - this.#forgotAt < FORGET_EVERY) return;
    this.#forgotAt = now;
    await this.#run(forget, [now - FORGET_AFTER]);
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
