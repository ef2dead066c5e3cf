import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { AlertKind } from './alerts.ts';
import type { RaisedAlert } from './raised-alert.ts';

export const ALERT_STATUSES = ['open', 'resolved'] as const;

export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** Max characters of a note. */
export const MAX_ALERT_NOTE = 500;

/** How an alert ended. */
export interface Resolution {
  readonly at: Instant;
  /** The client's id, the operator's name, or `service`. */
  readonly by: string;
  readonly note: string;
}

/** A stored alert. */
export interface AlertRecord extends RaisedAlert {
  readonly id: number;
  /** Null while it is open. */
  readonly resolution: Resolution | null;
}

export const alertStatus = ({ resolution }: AlertRecord): AlertStatus =>
  resolution === null ? 'open' : 'resolved';

/** An alert at the time when it was read: each raise adds to its times. */
export type SeenAlert = Pick<AlertRecord, 'id' | 'times'>;

export interface AlertQuery {
  readonly status?: AlertStatus | undefined;
  readonly kind?: AlertKind | undefined;
  readonly saleId?: number | undefined;
  /** Only alerts with a smaller id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * The alerts.
 *
 * 1. A stored alert is open, and found by its id and in lists: those that match all filters, the
 *    newest first, at most `limit`.
 * 2. An alert that is open already is raised again: its times add up, and it keeps its place, its
 *    first time and its sale; the rest is as last raised. Also if several are stored at once.
 * 3. An open alert is resolved once, with an audit entry; resolving it again changes nothing.
 * 4. The service settles an open alert as it has seen it, without an audit entry: one that was raised
 *    again meanwhile stays open.
 * 5. After its end, the same alert opens another record.
 */
export interface AlertRecords {
  /** @param raised each kind and subject once */
  store(raised: readonly RaisedAlert[]): Promise<void>;
  list(query: AlertQuery): Promise<readonly AlertRecord[]>;
  find(id: number): Promise<AlertRecord | undefined>;
  /** @returns the alert with its first resolution; undefined if there is no such alert */
  resolve(id: number, resolution: Resolution, entry: AuditEntry): Promise<AlertRecord | undefined>;
  settle(seen: SeenAlert, at: Instant, note: string): Promise<void>;
}

/** Who resolves an alert that the service settles. */
export const SERVICE_NAME = 'service';
