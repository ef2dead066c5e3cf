/** How often something was counted in the current minute. */
export interface Count {
  readonly count: number;
  /** Seconds until the count restarts at 0, rounded up. */
  readonly resetsIn: number;
}

/**
 * Counts by name, per minute. The minute of a name begins with the first addition.
 *
 * 1. Each addition counts one; after the minute the name restarts at 0. Names are independent.
 * 2. Processes that share a store count together: each knows the others' additions within a second.
 * 3. Both answer from memory. While the store is out of reach, each process counts alone.
 */
export interface Counters {
  add(name: string): Count;
  read(name: string): Count;
}
