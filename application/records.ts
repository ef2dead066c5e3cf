/**
 * A durable book of records, each under a key. For providers that the service itself plays.
 *
 * 1. A record that was changed is found again whole, by whichever process.
 * 2. Changes of one record come one after the other: `change` sees what the one before it left, and may be called again.
 * 3. `list` has the records whose keys begin so, in the order of their keys.
 */
export interface Records<Content> {
  find(key: string): Promise<Content | undefined>;
  change(key: string, change: (known: Content | undefined) => Content): Promise<Content>;
  list(prefix: string): Promise<readonly Content[]>;
}
