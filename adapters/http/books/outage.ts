import { setTimeout as wait } from 'node:timers/promises';

/** Failures in a row that make an outage. */
const FAILURES = 64;

/** How long the sales of an import wait for the end of an outage, ms. */
const PATIENCE_MS = 30_000;

/** The pause before each try of an outage, and once the patience is over, ms. */
const PAUSE_MS = 500;
const LATER_PAUSE_MS = 2_000;

/**
 * Says whether a sale of an import is tried while the database or a provider is out of reach. In an
 * outage one sale at a time is tried and the others wait; after 30 s, those in between are not tried.
 */
export class Outage {
  readonly #patienceMs: number;
  readonly #pauseMs: number;
  #failures = 0;
  #since = 0;
  #triedAt = 0;
  #trial: PromiseWithResolvers<void> | undefined;

  constructor(patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS) {
    this.#patienceMs = patienceMs;
    this.#pauseMs = pauseMs;
  }

  get isOn(): boolean {
    return this.#failures >= FAILURES;
  }

  /** Waits until the sale may be tried; false if it is not tried at all. */
  async mayTry(): Promise<boolean> {
    while (this.isOn) {
      const now = performance.now();
      if (now - this.#since > this.#patienceMs) {
        if (now - this.#triedAt < LATER_PAUSE_MS) return false;
        this.#triedAt = now;
        return true;
      }
      if (this.#trial === undefined) {
        this.#trial = Promise.withResolvers();
        await wait(this.#pauseMs);
        return true;
      }
      await this.#trial.promise;
    }
    return true;
  }

  /** Takes note of a try. @param status of its answer; others than these say nothing */
  note(status: number): void {
    if (status === 200 || status === 201) this.#failures = 0;
    if (status === 503) {
      if (this.#failures === 0) this.#since = performance.now();
      this.#failures += 1;
    }
    this.#trial?.resolve();
    this.#trial = undefined;
  }
}
