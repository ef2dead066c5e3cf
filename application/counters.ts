/** How often something has happened in its present minute. */
export interface Count {
  readonly count: number;
  /** Seconds, rounded up, until counting begins again at nothing. */
  readonly resetsIn: number;
}

/**
 * Counts what happens, by name, a minute at a time: a name's minute begins with the first thing counted.
 *
 * 1. Each addition counts one; after the minute the name begins again at nothing. Names do not touch each other.
 * 2. Processes that share a store count together: what one has added, the others know within a second.
 * 3. Nobody waits for the store, and nothing fails with it: while it is out of reach, each process counts for itself.
 */
export interface Counters {
  add(name: string): Promise<Count>;
  read(name: string): Promise<Count>;
}

/** The name under which a client's requests are counted, whichever way it proves who it is. */
export const requestsOf = (clientId: string): string => `client ${clientId}`;
