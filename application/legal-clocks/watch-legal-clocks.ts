import { addDays, CERTIFICATE_DAYS, type Instant, POLICY_DAYS } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Clock } from '../clock.ts';
import type { LateSale, LateSales, LegalClocks } from './legal-clocks.ts';

interface Needs {
  readonly legalClocks: LegalClocks;
  readonly alerts: Alerts;
  readonly clock: Clock;
}

export type WatchLegalClocks = () => Promise<void>;

/**
 * Raises an alert on the last day that the law gives for a policy or a certificate, once for each
 * sale. Days are São Paulo's; the day on which the time begins does not count (Código Civil, art.
 * 132).
 */
export const makeWatchLegalClocks = ({ legalClocks, alerts, clock }: Needs): WatchLegalClocks => {
  /** The end of the day on which the time began whose last day is today. */
  const startedBefore = (days: number): Instant => clock.startOf(addDays(clock.today(), 1 - days));

  return async function watchLegalClocks() {
    await forEachLate(
      () => legalClocks.takeLatePolicies(startedBefore(POLICY_DAYS), clock.now()),
      (late) => alerts.raiseStored({ kind: 'policy_overdue', ...late }),
    );
    await forEachLate(
      () => legalClocks.takeLateCertificates(startedBefore(CERTIFICATE_DAYS), clock.now()),
      (late) => alerts.raiseStored({ kind: 'certificate_overdue', ...late }),
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
