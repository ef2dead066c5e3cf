import type { ChangeFeed, Follower, Topic } from './change-feed.ts';
import type { Database } from './database.ts';

/**
 * Time for which a copy is trusted after the question that found it up to date: less than a second.
 */
const TRUSTED_MS = 800;

/**
 * A copy, in this process, of data that is small, rarely changes and is needed by every request. It
 * is loaded again when its revision changes. A copy that has not been found up to date for
 * `TRUSTED_MS` is not used before the database has confirmed it.
 */
export class LocalCopy<Value> implements Follower {
  readonly topic: Topic;
  readonly #load: (known?: Value) => Promise<Value>;
  /** Undefined where this process is the only one. */
  readonly #changes: ChangeFeed | undefined;
  #copy: { readonly value: Value; readonly revision: number } | undefined;
  #confirmedAt = Number.NEGATIVE_INFINITY;
  #wantedRevision = 0;
  /** Counted up each time that the copy is discarded. */
  #epoch = 0;
  #loading: Promise<void> = Promise.resolve();
  #nextLoad: Promise<void> | undefined;

  /** @param load reads what is stored now; it may add to what is known */
  constructor(database: Database, topic: Topic, load: (known?: Value) => Promise<Value>) {
    this.topic = topic;
    this.#load = load;
    this.#changes = database.changes;
  }

  /**
   * What `pick` finds in an up-to-date copy: at once, where the copy is known to be one.
   *
   * @throws Unavailable if the database does not confirm the copy
   */
  read<Found>(pick: (value: Value) => Found): Found | Promise<Found> {
    const known = this.#known;
    return known === undefined ? this.#readConfirmed(pick) : pick(known);
  }

  async #readConfirmed<Found>(pick: (value: Value) => Found): Promise<Found> {
    this.#changes?.follow(this);
    if (this.#changes && performance.now() - this.#confirmedAt > TRUSTED_MS)
      await this.#changes.ask();
    // Loops, because the copy may be discarded while it is waited for.
    for (;;) {
      if (this.#copy !== undefined) return pick(this.#copy.value);
      await this.#firstLoad();
    }
  }

  get #known(): Value | undefined {
    const isTrusted =
      this.#changes === undefined || performance.now() - this.#confirmedAt <= TRUSTED_MS;
    return isTrusted ? this.#copy?.value : undefined;
  }

  /**
   * Resolves when the copy shows what is stored now. If loading fails, the next `read()` loads
   * again.
   */
  refresh(revision = this.#wantedRevision): Promise<void> {
    this.#changes?.follow(this);
    this.#wantedRevision = Math.max(this.#wantedRevision, revision);
    // A load that is running may have begun before the change; one that has not begun serves all
    // callers.
    this.#nextLoad ??= this.#loading
      .catch(() => {})
      .then(() => {
        this.#nextLoad = undefined;
        this.#loading = this.#reload(this.#wantedRevision);
        return this.#loading;
      });
    return this.#nextLoad;
  }

  async receiveRevision(revision: number, askedAt: number, isDoubtful: boolean): Promise<void> {
    // A revision falls only after a failover that lost commits: the copy may hold what was lost.
    if (isDoubtful || revision < (this.#copy?.revision ?? 0)) this.#discard();
    // The copy may be newer than its revision, never older: then it is loaded once more.
    if (revision !== this.#copy?.revision) await this.refresh(revision);
    this.#confirmedAt = Math.max(this.#confirmedAt, askedAt);
  }

  #discard(): void {
    this.#copy = undefined;
    this.#wantedRevision = 0;
    this.#epoch += 1;
  }

  #firstLoad(): Promise<void> {
    return this.#changes === undefined ? this.refresh() : this.#changes.ask();
  }

  async #reload(revision: number): Promise<void> {
    const epoch = this.#epoch;
    try {
      const value = await this.#load(this.#copy?.value);
      // A copy that was discarded while this one was loading may have been discarded because of it.
      if (epoch === this.#epoch) this.#copy = { value, revision };
    } catch (error) {
      this.#copy = undefined;
      throw error;
    }
  }
}
