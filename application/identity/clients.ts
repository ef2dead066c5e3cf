import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** What a client may do: register and query sales, or administer the service. */
export type Scope = 'sales' | 'admin';

export const SCOPES: readonly Scope[] = ['sales', 'admin'];

export const CLIENT_STATUSES = ['active', 'inactive', 'revoked'] as const;

/** Revoked is final. */
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** The hash of a secret. The secret itself is shown once and kept nowhere. */
export interface ClientSecret {
  readonly hash: string;
  readonly createdAt: Instant;
  /** From then on it opens nothing; null: until it is replaced. */
  readonly expiresAt: Instant | null;
}

/** A channel's (or an administrator's) credentials for the API. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  /** The channel it belongs to; an administrator's client belongs to none. */
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
  readonly status: ClientStatus;
  /** The newest first, two at most. */
  readonly secrets: readonly ClientSecret[];
  /** Counted up when all logins of the client end: tokens of an earlier generation are no good. */
  readonly generation: number;
  readonly createdAt: Instant;
  /** Counted up by every change that is saved. */
  readonly version: number;
}

/** What a client may do: one that belongs to a channel does not administer, whatever an earlier version has stored. */
export const allowedScopes = ({ channelLink, scopes }: ApiClient): readonly Scope[] =>
  channelLink === null ? scopes : scopes.filter((scope) => scope !== 'admin');

/** A client as an administrator sees it. */
export interface ClientRecord {
  readonly client: ApiClient;
  /** To the minute; null: never. */
  readonly lastUsedAt: Instant | null;
}

export interface ClientQuery {
  readonly status?: ClientStatus | undefined;
  /** Only clients that were created after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * The clients that may call the API.
 *
 * 1. An added client is found again whole; an unknown one is undefined.
 * 2. A client id is given once: adding it again is a duplicate and changes nothing, however many try at once.
 * 3. A change is saved over the version it was made from and raises it by one; over any other it is stale and changes nothing.
 * 4. What is added or saved is stored together with its audit entry, or neither is.
 * 5. `find` asks no store, and sees every change within a second, whichever process made it; `load` sees the present.
 * 6. Lists come in the order of creation. A use is noted in the background, to the minute, and never delays or fails a request.
 */
export interface Clients {
  add(client: ApiClient, entry: AuditEntry): Promise<'added' | 'duplicate'>;
  save(changed: ApiClient, entry: AuditEntry): Promise<'saved' | 'stale'>;
  find(clientId: string): Promise<ApiClient | undefined>;
  load(clientId: string): Promise<ClientRecord | undefined>;
  list(query: ClientQuery): Promise<readonly ClientRecord[]>;
  noteUse(clientId: string, at: Instant): void;
  isEmpty(): Promise<boolean>;
}
