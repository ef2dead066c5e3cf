import { addDays, type Instant, type LegalPeriodKind, lastContractDayOver } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Clock } from '../clock.ts';

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
 * 3. A cancelled sale is late whose channel owes a refund since before the given time, and has not
 *    confirmed all of it.
 * 4. A late sale is returned once for each time limit, also to simultaneous callers and after a
 *    restart.
 * 5. The alert of a late sale (`policy_overdue`, `certificate_overdue`, `refund_unconfirmed`) is stored
 *    with that: it is lost neither if the process is killed.
 */
export interface LegalClocks {
  takeLatePolicies(registeredBefore: Instant, now: Instant): Promise<LateSales>;
  takeLateCertificates(dueBefore: Instant, now: Instant): Promise<LateSales>;
  takeLateRefunds(cancelledBefore: Instant, now: Instant): Promise<LateSales>;
}

interface Needs {
  readonly legalClocks: LegalClocks;
  readonly alerts: Alerts;
  readonly clock: Clock;
}

export type WatchLegalClocks = () => Promise<void>;

/**
 * Raises an alert on the last day that there is for a policy, a certificate or the refund that a
 * channel owes, once for each sale. Days are São Paulo's; the day on which the time begins does not count (Código Civil, art.
 * 132).
 */
export const makeWatchLegalClocks = ({ legalClocks, alerts, clock }: Needs): WatchLegalClocks => {
  /** The end of the latest day on which a time began that ends today, or has ended. */
  const startedBefore = (kind: LegalPeriodKind): Instant =>
    clock.startOf(addDays(lastContractDayOver(kind, clock.today()), 1));

  return async function watchLegalClocks() {
    await forEachLate(
      () => legalClocks.takeLatePolicies(startedBefore('policy'), clock.now()),
      (late) => alerts.raiseStored({ kind: 'policy_overdue', ...late }),
    );
    await forEachLate(
      () => legalClocks.takeLateCertificates(startedBefore('certificate'), clock.now()),
      (late) => alerts.raiseStored({ kind: 'certificate_overdue', ...late }),
    );
    await forEachLate(
      () => legalClocks.takeLateRefunds(startedBefore('refund'), clock.now()),
      (late) => alerts.raiseStored({ kind: 'refund_unconfirmed', ...late }),
    );
  };
};

const forEachLate = async (
  take: () => Promise<LateSales>,
  raise: (late: LateSale) => void,
): Promise<void> => {
  for (;;) {
    const { late, isComplete } = await take();
    late.forEach(raise);
    if (isComplete) return;
  }
};
