import type { Instant } from '#domain';

/** What a client may do: register and query sales, or administer the service. */
export type Scope = 'sales' | 'admin';

export const SCOPES: readonly Scope[] = ['sales', 'admin'];

/** A channel's (or an administrator's) credentials for the API. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  /** The channel it belongs to; an administrator's client belongs to none. */
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
  readonly status: 'active' | 'inactive' | 'revoked';
  /** Hashes of the living secrets. The secrets themselves are shown once and kept nowhere. */
  readonly secretHashes: readonly string[];
  readonly createdAt: Instant;
}

/**
 * The clients that may call the API.
 *
 * 1. An added client is found again whole; an unknown one is undefined.
 * 2. A client id is given once: adding it again is a duplicate and changes nothing, however many try at once.
 * 3. `isEmpty` until the first client is added.
 */
export interface Clients {
  add(client: ApiClient): Promise<'added' | 'duplicate'>;
  find(clientId: string): Promise<ApiClient | undefined>;
  isEmpty(): Promise<boolean>;
}
