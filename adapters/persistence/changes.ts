import type { Run } from './statement.ts';

/** What processes remember of the tables, each with a number in the database that changes count up. */
export type Topic = 'clients' | 'catalogue' | 'logins';

/** Whoever remembers: is told the number of its topic, and when (milliseconds) it was asked for. */
export interface Follower {
  readonly topic: Topic;
  heard(number: number, askedAt: number): Promise<void>;
}

/** Milliseconds between two questions. A notice of the database makes for an earlier one; where it is lost, this is soon enough. */
const EVERY = 400;

/** A question under way for longer is of no use to whoever comes now. */
const JOINABLE = 500;

const revisions = { name: 'revisions', text: 'select topic, number::int as number from revision' };

/** Calls back at each notice of a change until it is told to stop. */
export type Listen = (changed: () => void) => () => void;

/** Asks for the numbers, now and then and when told that one has changed, and passes them on. */
export class Changes {
  readonly #run: Run;
  readonly #listen: Listen;
  readonly #followers = new Set<Follower>();
  #asking: { readonly since: number; readonly answer: Promise<void> } | undefined;
  #askAgain = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = (): void => {};

  constructor(run: Run, listen: Listen) {
    this.#run = run;
    this.#listen = listen;
  }

  follow(follower: Follower): void {
    this.#followers.add(follower);
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#asking ?? this.#askQuietly(), EVERY).unref();
    this.#stopListening = this.#listen(() => this.#noticed());
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
    const rows = await this.#run<{ topic: Topic; number: number }>(revisions, []);
    const numbers = new Map(rows.map(({ topic, number }) => [topic, number]));
    await Promise.all([...this.#followers].map((each) => each.heard(numbers.get(each.topic) ?? 0, askedAt)));
  }
}
