import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** A sale's mailings are numbered: 0 is the one when its certificate was issued, others are second copies. */
export interface MailingName {
  readonly saleId: number;
  readonly number: number;
}

export type MailOccasion = 'issue' | 'second_copy';

export const occasionOf = ({ number }: MailingName): MailOccasion =>
  number === 0 ? 'issue' : 'second_copy';

/**
 * `waiting` for somebody to send it; `sent`; `undelivered`: given up, until somebody has it tried again; `withdrawn`: there
 * was nothing to send any more.
 */
export const MAILING_STATUSES = ['waiting', 'sent', 'undelivered', 'withdrawn'] as const;

export type MailingStatus = (typeof MAILING_STATUSES)[number];

/** A certificate that is to be mailed, and what became of it. */
export interface Mailing extends MailingName {
  readonly requestedAt: Instant;
  readonly status: MailingStatus;
  /** When it got that status; absent while it waits. */
  readonly settledAt?: Instant;
  /** So often it was not taken. */
  readonly failures: number;
  /** Why, the last time, by code. */
  readonly reason?: string;
}

/** The name that a client gave its request for a second copy. */
export interface CopyKey {
  readonly clientId: string;
  readonly key: string;
}

export interface CopyRequest {
  readonly saleId: number;
  readonly at: Instant;
  readonly key?: CopyKey | undefined;
  /** Not more than so many copies since. */
  readonly limit: { readonly most: number; readonly since: Instant };
}

export type CopyOutcome =
  | { readonly kind: 'requested' | 'repeated'; readonly mailing: Mailing }
  /** The key was used for a copy of another sale. */
  | { readonly kind: 'conflict'; readonly saleId: number }
  /** When the earliest of those that count was requested. */
  | { readonly kind: 'too_many'; readonly earliest: Instant };

export interface MailingQuery {
  readonly status?: MailingStatus | undefined;
  readonly saleId?: number | undefined;
  /** Only those that come after this one in the list. */
  readonly before?: MailingName | undefined;
  readonly limit: number;
}

/**
 * The certificates that are to be mailed. Those of new certificates are remembered by `Sales`, with the sale.
 *
 * 1. A second copy that is requested waits, and is handed to those who send, once.
 * 2. No more copies of a sale are requested than the limit allows, however many ask at once.
 * 3. A client's key requests one copy; for another sale it is a conflict. Keys of other clients are other keys.
 * 4. What waits is settled once, and keeps count of its failures until then; what was given up waits again when somebody says so, with the entry of who did.
 * 5. A list has the mailings that fit, of the newest sale first, of a sale the newest first.
 */
export interface Mailings {
  requestCopy(request: CopyRequest): Promise<CopyOutcome>;
  find(name: MailingName): Promise<Mailing | undefined>;
  noteFailure(name: MailingName, reason: string): Promise<void>;
  settle(
    name: MailingName,
    status: Exclude<MailingStatus, 'waiting'>,
    at: Instant,
    reason?: string,
  ): Promise<void>;
  retry(name: MailingName, entry: AuditEntry): Promise<'waiting' | 'not_undelivered'>;
  list(query: MailingQuery): Promise<readonly Mailing[]>;
}
