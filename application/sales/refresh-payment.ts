import { endAttempt, nextSteps, type Sale } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, momentOf } from '../clock.ts';
import { hasReports, type Payments, referenceOf } from '../payments/payments.ts';
import { changeSale } from '../saga/change-sale.ts';
import { followGateway } from '../saga/follow-reports.ts';
import type { Sales } from './sales.ts';

interface RefreshParts {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly payments: Payments;
  readonly alerts: Alerts;
  readonly clock: Clock;
}

/**
 * Asks the gateway for the charges and stores what they change. Returns the same object if nothing
 * changed. `entryOf`: what the audit log says of the change; by default nothing.
 */
export const refreshPayment = async (
  sale: Sale,
  { catalogue, sales, payments, alerts, clock }: RefreshParts,
  entryOf?: (changed: Sale) => AuditEntry,
): Promise<Sale | 'unanswered'> => {
  const reports = await payments.find(referenceOf(sale), sale.payment.chargeId);
  if (!hasReports(reports)) return 'unanswered';
  const now = momentOf(clock, await catalogue.current());
  const follow = (present: Sale): Sale => {
    const gateway = { name: payments.name, alerts, asked: sale };
    const after = followGateway(present, reports, now, gateway);
    // A charge that is known needs no more looking for.
    return after.payment.status === 'unknown' ? after : endAttempt(after, 'charge');
  };
  return changeSale({ sales, payments, alerts }, sale, follow, (changed) => ({
    resume: nextSteps(changed, now).length > 0,
    entry: entryOf?.(changed),
  }));
};
