import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** Permission of a client: sell and query sales, or administer the service. */
export type Scope = 'sales' | 'admin';

export const SCOPES: readonly Scope[] = ['sales', 'admin'];

export const CLIENT_STATUSES = ['active', 'inactive', 'revoked'] as const;

/** `revoked` is final. */
export type ClientStatus = (typeof CLIENT_STATUSES)[number];

/** Hash of a secret. The secret itself is shown once and not stored. */
export interface ClientSecret {
  readonly hash: string;
  readonly createdAt: Instant;
  /** End of its validity; null: none until it is replaced. */
  readonly expiresAt: Instant | null;
}

/** Credentials of a channel, or of an administrator. */
export interface ApiClient {
  readonly clientId: string;
  readonly name: string;
  /** The client's channel; null for an administrator. */
  readonly channelLink: string | null;
  readonly scopes: readonly Scope[];
  readonly status: ClientStatus;
  /** Newest first, at most two. */
  readonly secrets: readonly ClientSecret[];
  /** Rises when all logins of the client end: tokens of an earlier generation are invalid. */
  readonly generation: number;
  readonly createdAt: Instant;
  /** Rises with each stored change. */
  readonly version: number;
}

/** The scopes a client may use. A client of a channel never administers, whatever is stored. */
export const allowedScopes = ({ channelLink, scopes }: ApiClient): readonly Scope[] =>
  channelLink === null ? scopes : scopes.filter((scope) => scope !== 'admin');

/** Whether the client is active and still accepts what was issued in `generation`. */
export const honours = (client: ApiClient | undefined, generation: number): client is ApiClient =>
  client?.status === 'active' && client.generation === generation;

/** The counter of a client's requests, by token or by credentials. */
export const requestsOf = (clientId: string): string => `client ${clientId}`;

/** A client as an administrator sees it. */
export interface ClientRecord {
  readonly client: ApiClient;
  /** The time of the last use, to the minute; null: never used. */
  readonly lastUsedAt: Instant | null;
}

export interface ClientQuery {
  readonly status?: ClientStatus | undefined;
  /** Only clients of this channel. */
  readonly channelLink?: string | undefined;
  /** Only clients created after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * The clients of the API.
 *
 * 1. An added client is found complete; an unknown one is undefined.
 * 2. A client id is unique: adding it again is a duplicate and changes nothing, also concurrently.
 * 3. A change is saved over the version it was made from and raises it by one. Over another version
 *    it is stale and changes nothing.
 * 4. A change and its audit entry are stored together or not at all.
 * 5. `find` reads from memory and sees every change within a second, in every process; `load` reads
 *    the store. `find` answers at once if its copy is fresh.
 * 6. Lists are sorted by creation. Uses are stored in the background, to the minute; this never
 *    delays or fails a request.
 */
export interface Clients {
  add(client: ApiClient, entry: AuditEntry): Promise<'added' | 'duplicate'>;
  save(changed: ApiClient, entry: AuditEntry): Promise<'saved' | 'stale'>;
  find(clientId: string): ApiClient | undefined | Promise<ApiClient | undefined>;
  load(clientId: string): Promise<ClientRecord | undefined>;
  list(query: ClientQuery): Promise<readonly ClientRecord[]>;
  noteUse(clientId: string, at: Instant): void;
  isEmpty(): Promise<boolean>;
}
