import type { Run } from './statement.ts';

/** What processes remember of the tables, each with a number in the database that changes count up. */
export type Topic = 'clients' | 'catalogue' | 'logins';

/**
 * A copy in this process. `heard` gets the present number of its topic, the time of the question (ms), and whether the copy
 * is in doubt: another server may answer now, which has lost the last commits of the one before.
 */
export interface Follower {
  readonly topic: Topic;
  heard(number: number, askedAt: number, isDoubtful: boolean): Promise<void>;
}

/** Milliseconds between two questions. A notice of the database makes for an earlier one; where it is lost, this is soon enough. */
const EVERY = 400;

/** A question under way for longer is of no use to whoever comes now. */
const JOINABLE = 500;

// A server that takes over has started at another time, and writes another timeline.
const revisions = {
  name: 'revisions',
  text: `
    select topic, number::int as number, server from revision, (
      select pg_postmaster_start_time()::text
        || case when pg_is_in_recovery() then ' standby' else left(pg_walfile_name(pg_current_wal_lsn()), 8) end as server
    ) as present`,
};

/** Calls back at each notice of a change, and after each reconnection. Returns the function that ends this. */
export type Listen = (changed: (how: 'noticed' | 'reconnected') => void) => () => void;

/** Asks for the numbers, now and then and when told that one has changed, and passes them on. */
export class Changes {
  readonly #run: Run;
  readonly #listen: Listen;
  readonly #followers = new Set<Follower>();
  #asking: { readonly since: number; readonly answer: Promise<void> } | undefined;
  #askAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = (): void => {};
  #server: string | undefined;
  #hasReconnected = false;

  constructor(run: Run, listen: Listen) {
    this.#run = run;
    this.#listen = listen;
  }

  follow(follower: Follower): void {
    this.#followers.add(follower);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#asking ?? this.#askQuietly(), EVERY).unref();
    this.#stopListening = this.#listen((how) => {
      if (how === 'reconnected') this.#hasReconnected = true;
      this.#noticed();
    });
  }

  /** Resolves when every follower knows its number as it was at the call, or half a second before. @throws Unavailable */
  ask(): Promise<void> {
    const { since = Number.NEGATIVE_INFINITY, answer } = this.#asking ?? {};
    return answer !== undefined && performance.now() - since < JOINABLE ? answer : this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopListening();
  }

  /** A question under way may have been answered before the change: another one follows it, for all notices until then. */
  #noticed(): void {
    if (this.#askAgain) return;
    this.#askAgain = true;
    const ask = (): void => {
      this.#askAgain = false;
      this.#askQuietly();
    };
    (this.#asking?.answer ?? Promise.resolve()).then(ask, ask);
  }

  #askQuietly(): void {
    this.#ask().catch(() => {});
  }

  async #ask(): Promise<void> {
    const asking = { since: performance.now(), answer: this.#passOn(performance.now()) };
    this.#asking = asking;
    try {
      await asking.answer;
    } finally {
      if (this.#asking === asking) this.#asking = undefined;
    }
  }

  async #passOn(askedAt: number): Promise<void> {
    const rows = await this.#run<{ topic: Topic; number: number; server: string }>(revisions, []);
    const numbers = new Map(rows.map(({ topic, number }) => [topic, number]));
    const server = rows[0]?.server;
    const isDoubtful = this.#hasReconnected || server !== this.#server;
    this.#hasReconnected = false;
    this.#server = server;
    await Promise.all(
      [...this.#followers].map((each) =>
        each.heard(numbers.get(each.topic) ?? 0, askedAt, isDoubtful),
      ),
    );
  }
}
