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
  /** Counted up each time that everything is forgotten. */
  #epoch = 0;
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
    if (this.#changes && performance.now() - this.#confirmedAt > TRUSTED) await this.#changes.ask();
    // It may have been forgotten meanwhile.
    for (;;) {
      if (this.#copy !== undefined) return this.#copy.value;
      await this.#begin();
    }
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

  async heard(number: number, askedAt: number, isDoubtful: boolean): Promise<void> {
    // A number that falls was counted by a server that is gone: what is remembered may have been lost with it.
    if (isDoubtful || number < (this.#copy?.number ?? 0)) this.#forget();
    // The number is older than what is loaded for it, never newer: a change in between is heard of again.
    if (number !== this.#copy?.number) await this.refresh(number);
    this.#confirmedAt = Math.max(this.#confirmedAt, askedAt);
  }

  #forget(): void {
    this.#copy = undefined;
    this.#wanted = 0;
    this.#epoch += 1;
  }

  async #begin(): Promise<void> {
    // A question that was under way already may pass this copy by: then another one follows.
    return this.#changes === undefined ? this.refresh() : this.#changes.ask();
  }

  async #reload(number: number): Promise<void> {
    const epoch = this.#epoch;
    try {
      const value = await this.#load(this.#copy?.value);
      // What was forgotten meanwhile is not to come back.
      if (epoch === this.#epoch) this.#copy = { value, number };
    } catch (error) {
      this.#copy = undefined;
      throw error;
    }
  }
}
