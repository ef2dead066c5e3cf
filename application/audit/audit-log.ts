import type { Instant, Json } from '#domain';
import { differences } from '../differences.ts';

/** Where a request came from; both are null where it was none. */
export interface Origin {
  /** The network address. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Who does something, and from where. */
export interface Actor extends Origin {
  /** A client of the API, an operator at the command line, the service itself as it starts, or nobody that we know. */
  readonly kind: 'client' | 'operator' | 'service' | 'unknown';
  /** The client's id or the operator's name. */
  readonly name: string | null;
}

export const AUDIT_ACTIONS = [
  'client.created',
  'client.activated',
  'client.deactivated',
  'client.revoked',
  'client.secret_rotated',
  'client.scopes_reduced',
  'channel.put',
  'product.put',
  'sale.cancelled',
  'mail.retried',
  'token.refused',
  'token.reused',
  'token.revoked',
  'token.attempts_limited',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A field that became something else; a side on which there is none is null. */
export interface Change {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

/** What happened, to be remembered for good. Holds no secret, no token and no hash of one. */
export interface AuditEntry {
  readonly at: Instant;
  readonly action: AuditAction;
  readonly actor: Actor;
  /** What it was done to: `api-client/…`, `channel/…`, `product/…`, `transaction/…`, `mailing/…`; null where that is not known. */
  readonly subject: string | null;
  /** Why something was refused. */
  readonly reason: string | null;
  readonly changes: readonly Change[];
}

/** An entry in its place; numbers rise with time. */
export interface NumberedEntry extends AuditEntry {
  readonly number: number;
}

export interface AuditQuery {
  readonly action?: AuditAction | undefined;
  /** The actor's name. */
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** Not before, and before. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Only entries with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * What was done, by whom, when and from where.
 *
 * 1. An appended entry is found again whole, under a number of its own, the newest first.
 * 2. A query gets the entries that fit all it asks for, at most `limit`.
 * 3. Nothing changes or removes an entry: the store itself refuses.
 */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  list(query: AuditQuery): Promise<readonly NumberedEntry[]>;
}

/** A client as the subject of an entry. */
export const clientSubject = (clientId: string): string => `api-client/${clientId}`;

/** Which fields of something made of JSON became something else, as an entry shows it. */
export const changesBetween = (before: object, after: object): readonly Change[] =>
  differences(before as Json, after as Json).map(({ path, stored, received }) => ({
    field: path,
    before: stored,
    after: received,
  }));
