/**
 * A durable store of records by key, for the providers that the service simulates.
 *
 * 1. A changed record is found complete by every process.
 * 2. Changes of one record run one after the other: `change` sees the result of the previous one,
 *    and may be called again.
 * 3. `list` returns the records whose keys start with `prefix`, in key order.
 */
export interface Records<Content> {
  find(key: string): Promise<Content | undefined>;
  change(key: string, change: (known: Content | undefined) => Content): Promise<Content>;
  list(prefix: string): Promise<readonly Content[]>;
}
