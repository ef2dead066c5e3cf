import type { CancelledBy, Cents, Instant, StatedReason } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Decision } from '../collection/decide-payment.ts';
import type { Right } from '../people/roles.ts';

/** What a person may do with a sale, by which money may go back. */
export type MoneyAct =
  | { readonly kind: 'cancel'; readonly by: CancelledBy; readonly stated?: StatedReason }
  | { readonly kind: 'give_up'; readonly reason: string }
  | { readonly kind: 'decide'; readonly decision: Decision; readonly note: string };

/** What a person must be allowed to do, to ask for an act or to approve it. */
export const RIGHTS_OF_ACTS: Readonly<Record<MoneyAct['kind'], Right>> = {
  ...{ cancel: 'assist', give_up: 'settle', decide: 'settle' },
};

/** An act that waits for a second person. */
export interface ApprovalRequest {
  readonly saleId: number;
  /** The version of the sale that the person has seen: any change of the sale ends the request. */
  readonly saleVersion: number;
  readonly act: MoneyAct;
  /** What goes back by it, in cents. */
  readonly amount: Cents;
  /** Who asks. */
  readonly personId: string;
  readonly personName: string;
  readonly askedAt: Instant;
  readonly expiresAt: Instant;
}

/**
 * The acts that wait for a second person.
 *
 * 1. A sale has one request at most, which is found until it expires or is closed. A second one for
 *    the same version of the sale is not opened; for another version it takes the place of the first.
 * 2. The list has the requests that have not expired, the oldest first.
 * 3. A request is closed once. An entry is stored with its opening and its closing, or neither.
 */
export interface ApprovalRequests {
  open(request: ApprovalRequest, entry: AuditEntry): Promise<'opened' | 'known'>;
  find(saleId: number, at: Instant): Promise<ApprovalRequest | undefined>;
  list(at: Instant, limit: number): Promise<readonly ApprovalRequest[]>;
  close(request: ApprovalRequest, entry: AuditEntry): Promise<'closed' | 'gone'>;
  /** Deletes the requests that expired before a time. */
  forget(before: Instant): Promise<void>;
}
