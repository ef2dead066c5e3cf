import type { Instant } from '#domain';

/** A sale for which a time limit of the law has come. */
export interface LateSale {
  readonly saleId: number;
  /** When the time began to run. */
  readonly since: Instant;
}

/** Some of the late sales. `isComplete`: there are no more. */
export interface LateSales {
  readonly late: readonly LateSale[];
  readonly isComplete: boolean;
}

/**
 * Finds sales for which the law sets a time limit.
 *
 * 1. A sale registered before the given time that awaits a policy is late; one that was issued, or
 *    has ended, is not.
 * 2. A sale whose certificate was due before the given time is late if neither the certificate nor a
 *    second copy was sent, and the contract was not cancelled.
 * 3. A late sale is returned once for each time limit, also to simultaneous callers and after a
 *    restart.
 * 4. The alert of a late sale (`policy_overdue`, `certificate_overdue`) is stored with that: it is lost
 *    neither if the process is killed.
 */
export interface LegalClocks {
  takeLatePolicies(registeredBefore: Instant, now: Instant): Promise<LateSales>;
  takeLateCertificates(dueBefore: Instant, now: Instant): Promise<LateSales>;
}
