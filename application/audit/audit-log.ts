import type { Instant, Json } from '#domain';
import { differences } from '../differences.ts';

/** The origin of a request; null for what no request caused. */
export interface Origin {
  /** Network address. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Who did something, and from where. */
export interface Actor extends Origin {
  /**
   * An API client, a person who signed in, an operator at the command line, the service at its
   * start, or an unknown caller.
   */
  readonly kind: 'client' | 'person' | 'operator' | 'service' | 'unknown';
  /** The client's id, or the name of the person or operator. */
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
  'channel.withdrawn',
  'product.put',
  'product.withdrawn',
  'iof_rates.put',
  'sale.cancelled',
  'sale.given_up',
  'sale.refund_confirmed',
  'sale.retried',
  'sale.email_corrected',
  'sale.copy_requested',
  'sale.evidence_read',
  'sales.exported',
  'sale.reconciled',
  'payment.decided',
  'charge.withdrawal_ordered',
  'charge.refund_ordered',
  'mail.retried',
  'alert.resolved',
  'key.withdrawn',
  'webhook.created',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.secret_resealed',
  'webhook.replayed',
  'token.refused',
  'token.reused',
  'token.revoked',
  'token.attempts_limited',
  'group.saved',
  'person.added',
  'person.invited',
  'person.changed',
  'person.joined',
  'person.signed_out',
  'approval.asked',
  'approval.given',
  'approval.declined',
  'session.started',
  'session.refused',
  'session.ended',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** A changed field. `null`: no value on that side. */
export interface Change {
  readonly field: string;
  readonly before: Json;
  readonly after: Json;
}

/** What happened. It is never deleted, and holds no secret, no token and no hash of one. */
export interface AuditEntry {
  readonly at: Instant;
  readonly action: AuditAction;
  readonly actor: Actor;
  /**
   * The object of the action: `api-client/…`, `channel/…`, `product/…`, `iof-rates`,
   * `transaction/…`, `mailing/…`, `alert/…`, `charge/…`, `key/…`, `webhook/…`, `person/…`,
   * `group/…`; null
   * if unknown.
   */
  readonly subject: string | null;
  /** Why a request was refused, or a sale ended. */
  readonly reason: string | null;
  readonly changes: readonly Change[];
}

/** A stored entry; numbers rise with time. */
export interface NumberedEntry extends AuditEntry {
  readonly number: number;
}

export interface AuditQuery {
  readonly action?: AuditAction | undefined;
  /** Name of the actor. */
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  /** `from` ≤ time < `to`. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Only entries with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * Records who did what, when and from where.
 *
 * 1. An appended entry is found complete, under its own number, newest first.
 * 2. A query returns the entries that match all its filters, at most `limit`. A period may miss one that
 *    was stored more than ten minutes before, or after, another of about the same time.
 * 3. Entries are never changed or removed: the store refuses it.
 */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  list(query: AuditQuery): Promise<readonly NumberedEntry[]>;
}

/** Names a client as the subject of an entry. */
export const clientSubject = (clientId: string): string => `api-client/${clientId}`;

/** The fields that differ between two JSON objects, as audit entries show them. */
export const changesBetween = (before: object, after: object): readonly Change[] =>
  differences(before as Json, after as Json).map(({ path, stored, received }) => ({
    field: path,
    before: stored,
    after: received,
  }));
