import { type Instant, isCertified, type Sale } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { MailingName } from '../mailing-name.ts';

/**
 * `undelivered`: given up until an operator retries it. `withdrawn`: the contract ended before it
 * was sent.
 */
export const MAILING_STATUSES = ['waiting', 'sent', 'undelivered', 'withdrawn'] as const;

export type MailingStatus = (typeof MAILING_STATUSES)[number];

/** A mail to the insured, and its state. */
export interface Mailing extends MailingName {
  readonly requestedAt: Instant;
  readonly status: MailingStatus;
  /** When it got its status; absent while it waits. */
  readonly settledAt?: Instant;
  /** Number of failed tries. */
  readonly failures: number;
  /** Code and words of the mail server at the last failure. */
  readonly reason?: string;
  /** When it is tried again; absent: it was not tried yet, or is being tried. */
  readonly nextAt?: Instant;
}

/** A request for mailings to send. */
export interface MailClaim {
  readonly now: Instant;
  /** No other worker gets them before this time. */
  readonly until: Instant;
  readonly limit: number;
  /** How many all workers together may claim in a minute; absent: any number. */
  readonly perMinute?: number | undefined;
}

/** A mailing that its claimer has to send. */
export interface ClaimedMailing extends MailingName {
  readonly failures: number;
}

/** What became of a mailing. A `reason` is that of a failed try, which counts. */
export type MailingResult = MailingName &
  (
    | { readonly status: 'sent' | 'withdrawn' }
    | { readonly status: 'undelivered'; readonly reason: string }
    | { readonly status: 'waiting'; readonly nextAt: Instant; readonly reason?: string }
  );

/** Idempotency key of a client's request for a second copy. */
export interface CopyKey {
  readonly clientId: string;
  readonly key: string;
}

export interface CopyRequest {
  readonly saleId: number;
  readonly at: Instant;
  readonly key?: CopyKey | undefined;
  /** At most `most` copies since that time. */
  readonly limit: { readonly most: number; readonly since: Instant };
  /** Stored with the copy. */
  readonly entry: AuditEntry;
}

export type CopyOutcome =
  | { readonly kind: 'requested' | 'repeated'; readonly mailing: Mailing }
  /** The key was used for another sale. */
  | { readonly kind: 'conflict'; readonly saleId: number }
  /** Request time of the earliest copy within the limit. */
  | { readonly kind: 'too_many'; readonly earliest: Instant };

export interface MailingQuery {
  readonly status?: MailingStatus | undefined;
  readonly saleId?: number | undefined;
  /** Only mailings listed after this one. */
  readonly before?: MailingName | undefined;
  readonly limit: number;
}

/**
 * The mails to the insured. `Sales` stores the mailing of a new certificate with the sale, the
 * mailing that tells of a cancellation with the cancellation, and those that ask for an account with
 * the change that makes them due.
 *
 * 1. A waiting mailing is claimed by one of several workers. One whose time was over before it was
 *    recorded can be claimed again.
 * 2. The limit of copies of a sale holds, also for concurrent requests. A copy that is not requested
 *    leaves no audit entry.
 * 3. A client's key requests one copy; used for another sale it is a conflict. Keys of other
 *    clients are independent.
 * 4. A waiting mailing is settled once and counts its failures. An undelivered one waits again when
 *    an operator retries it, with an audit entry.
 * 5. A list is sorted by sale, newest first, and by number, newest first.
 * 6. Claims give what tells of money first, and then certificates, of each channel in turn: second
 *    copies, then the oldest. What tells of money takes more than half of a claim only if not enough
 *    certificates wait. A mailing with a `nextAt` is claimed from then on.
 * 7. All workers together claim at most `perMinute` in a minute of the clock.
 * 8. `lost` names those of the sales whose last certificate or second copy is undelivered.
 */
export interface Mailings {
  requestCopy(request: CopyRequest): Promise<CopyOutcome>;
  find(name: MailingName): Promise<Mailing | undefined>;
  claim(claim: MailClaim): Promise<readonly ClaimedMailing[]>;
  renew(names: readonly MailingName[], until: Instant): Promise<void>;
  /** Records what became of mailings that wait. Of others it changes nothing. */
  record(results: readonly MailingResult[], at: Instant): Promise<void>;
  retry(name: MailingName, entry: AuditEntry): Promise<'waiting' | 'not_undelivered'>;
  list(query: MailingQuery): Promise<readonly Mailing[]>;
  lost(saleIds: readonly number[]): Promise<ReadonlySet<number>>;
}

/**
 * Finds those of the sales whose certificate could not be mailed. Sales without a certificate are
 * not looked up.
 */
export const findLostMail = async (
  mailings: Mailings,
  sales: readonly Sale[],
): Promise<ReadonlySet<number>> => {
  const certified = sales.filter(isCertified).map(({ id }) => id);
  return certified.length === 0 ? new Set() : mailings.lost(certified);
};
