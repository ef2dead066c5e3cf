import type { Changes, Follower, Topic } from './changes.ts';
import type { Database } from './database.ts';

/** How long, in milliseconds, a copy is trusted after the question that found it up to date: well under a second. */
const TRUSTED = 800;

/**
 * A copy, in this process, of what is small, seldom changed and needed by every request. It follows its table; where it
 * has not been found up to date for a while, whoever needs it waits for the answer, and learns when there is none.
 */
export class Replica<Value> implements Follower {
  readonly topic: Topic;
  readonly #load: (known?: Value) => Promise<Value>;
  /** None where this process is the only one. */
  readonly #changes: Changes | undefined;
  #copy: { readonly value: Value; readonly number: number } | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #wanted = 0;
  #loading: Promise<void> = Promise.resolve();
  #queued: Promise<void> | undefined;

  /** @param load Reads what is stored now; it may go on from what is known. */
  constructor(database: Database, topic: Topic, load: (known?: Value) => Promise<Value>) {
    this.topic = topic;
    this.#load = load;
    this.#changes = database.changes;
  }

  /** @throws Unavailable when the store does not tell whether the copy is still true. */
  async current(): Promise<Value> {
    this.#changes?.follow(this);
    if (this.#copy === undefined) await this.#begin();
    else if (this.#changes && performance.now() - this.#confirmedAt > TRUSTED) await this.#changes.ask();
    return (this.#copy as { readonly value: Value }).value;
  }

  /** Resolves when the copy shows what is stored now. Where that fails, there is no copy until the next one who needs it. */
  refresh(number = this.#wanted): Promise<void> {
    this.#changes?.follow(this);
    this.#wanted = Math.max(this.#wanted, number);
    // A load under way may have begun before the change; one that waits for its turn has not.
    this.#queued ??= this.#loading
      .catch(() => {})
      .then(() => {
        this.#queued = undefined;
        this.#loading = this.#reload(this.#wanted);
        return this.#loading;
      });
    return this.#queued;
  }

  async heard(number: number, askedAt: number): Promise<void> {
    // The number is older than what is loaded for it, never newer: a change in between is heard of again.
    if (number !== this.#copy?.number) await this.refresh(number);
    this.#confirmedAt = Math.max(this.#confirmedAt, askedAt);
  }

  async #begin(): Promise<void> {
    if (this.#changes === undefined) return this.refresh();
    // A question that was under way already may pass this copy by.
    while (this.#copy === undefined) await this.#changes.ask();
  }

  async #reload(number: number): Promise<void> {
    try {
      this.#copy = { value: await this.#load(this.#copy?.value), number };
    } catch (error) {
      this.#copy = undefined;
      throw error;
    }
  }
}
