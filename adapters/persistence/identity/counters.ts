import type { Count, Counters } from '../../../application/counters.ts';
import type { Database } from '../engine/database.ts';

const MINUTE_SECONDS = 60;

/** What was counted under a name in its current window. */
interface Tally {
  count: number;
  /** When the window ends, ms of `performance.now`. */
  endsAt: number;
}

/** Expired tallies are removed when there are this many more than after the last removal. */
const REMOVE_AFTER = 10_000;

/** Counts in the memory of this process alone, in windows that begin with the first addition. */
export class LocalCounters implements Counters {
  readonly #windowMs: number;
  readonly #tallies = new Map<string, Tally>();
  #removeAt = REMOVE_AFTER;

  /** @param duration of a window, in seconds; shorter in tests */
  constructor(duration = MINUTE_SECONDS) {
    this.#windowMs = duration * 1000;
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

/** Time between a count and its sending to the database, so that several share a statement. */
const SEND_AFTER_MS = 200;

/** Names in one statement. More than these count in this process only. */
const MAX_NAMES = 10_000;

/** The width of the table's column. A longer name counts in this process only. */
const MAX_NAME_LENGTH = 255;

/** Counts are deleted an hour after their window; a window is a minute. */
const DELETE_AFTER_MS = 3_600_000;
const DELETE_EVERY_MS = 300_000;

// One statement for all names: with hundreds of partners, one each would cost as much as their
// sales. The order of the names keeps two processes from a deadlock.
const addCounts = {
  name: 'count-together',
  text: `
    insert into rate_limit as known (key, points, expire)
    select name, count, $3::bigint + $4::bigint
    from unnest($1::text[], $2::integer[]) as counted (name, count) order by name
    on conflict (key) do update set
      points = excluded.points + case when known.expire <= $3 then 0 else known.points end,
      expire = case when known.expire <= $3 then excluded.expire else known.expire end
    returning key as name, points as count, (expire - $3)::integer as left`,
};

const deleteOld = { name: 'forget-counts', text: 'delete from rate_limit where expire < $1' };

interface Sum {
  readonly name: string;
  readonly count: number;
  /** Time until the window ends, ms. */
  readonly left: number;
}

/**
 * Counts in this process at once, and adds the counts to a table that all processes share 0.2 s
 * later. The answer has the sums. A request never waits for the table.
 */
export class SharedCounters implements Counters {
  readonly #here: LocalCounters;
  readonly #run: Database['run'];
  readonly #durationMs: number;
  #unsent = new Map<string, number>();
  #isSending = false;
  #deletedAt = Date.now();

  /** @param run runs a statement on a PostgreSQL that the processes share */
  constructor(run: Database['run'], duration = MINUTE_SECONDS) {
    this.#here = new LocalCounters(duration);
    this.#run = run;
    this.#durationMs = duration * 1000;
  }

  add(name: string): Count {
    const unsent = this.#unsent.get(name) ?? 0;
    if (unsent > 0 || (this.#unsent.size < MAX_NAMES && name.length <= MAX_NAME_LENGTH))
      this.#unsent.set(name, unsent + 1);
    this.#sendSoon();
    return this.#here.add(name);
  }

  read(name: string): Count {
    return this.#here.read(name);
  }

  #sendSoon(): void {
    if (this.#isSending || this.#unsent.size === 0) return;
    this.#isSending = true;
    setTimeout(() => void this.#send(), SEND_AFTER_MS).unref();
  }

  async #send(): Promise<void> {
    const sending = this.#unsent;
    this.#unsent = new Map();
    try {
      const values = [[...sending.keys()], [...sending.values()], Date.now(), this.#durationMs];
      const sums = (await this.#run(addCounts, values)) as readonly Sum[];
      for (const { name, count, left } of sums) {
        const sum = count + (this.#unsent.get(name) ?? 0);
        // Unchanged where no other process counts this name.
        if (sum !== this.#here.read(name).count) this.#here.put(name, sum, left);
      }
      await this.#deleteOld();
    } catch {
      // The database is out of reach: the counts stay in this process and are sent the next time.
      for (const [name, count] of sending)
        this.#unsent.set(name, count + (this.#unsent.get(name) ?? 0));
    }
    this.#isSending = false;
    this.#sendSoon();
  }

  async #deleteOld(): Promise<void> {
    const now = Date.now();
    if (now - this.#deletedAt < DELETE_EVERY_MS) return;
    this.#deletedAt = now;
    await this.#run(deleteOld, [now - DELETE_AFTER_MS]);
  }
}

/** Counts nothing, where `RATE_LIMIT` is off. */
export class NoCounters implements Counters {
  add(): Count {
    return { count: 0, resetsIn: MINUTE_SECONDS };
  }

  read(): Count {
    return { count: 0, resetsIn: MINUTE_SECONDS };
  }
}
