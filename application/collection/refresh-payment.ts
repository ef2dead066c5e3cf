import { endAttempt, nextSteps, type Sale } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Clock, momentOf } from '../clock.ts';
import type { Gateways } from '../payments/gateways.ts';
import { hasReports, referenceOf } from '../payments/payments.ts';
import { changeSale } from '../saga/change-sale.ts';
import { followGateway } from '../saga/follow-reports.ts';
import type { Sales } from '../sales/sales.ts';

interface RefreshParts {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly gateways: Gateways;
  readonly alerts: Alerts;
  readonly clock: Clock;
}

/** Max times that the gateway is asked again because the sale changed while it answered. */
const MAX_REPEATS = 5;

/**
 * Asks the gateway for the charges and stores what they change. Returns the same object if nothing
 * changed. `entryOf`: what the audit log says of the change; by default nothing.
 */
export const refreshPayment = async (
  sale: Sale,
  parts: RefreshParts,
  entryOf?: (changed: Sale) => AuditEntry,
  repeats = MAX_REPEATS,
): Promise<Sale | 'unanswered'> => {
  const { catalogue, sales, alerts, clock } = parts;
  const payments = parts.gateways.of(sale);
  const reports = await payments.find(referenceOf(sale), sale.payment.chargeId);
  if (!hasReports(reports)) return 'unanswered';
  const now = momentOf(clock, await catalogue.current());
  let isOlder = false;
  const follow = (present: Sale): Sale => {
    isOlder = present.version !== sale.version;
    const gateway = { name: payments.name, alerts, asked: sale };
    const after = followGateway(present, reports, now, gateway);
    // A charge that is known needs no more looking for.
    return after.payment.status === 'unknown' ? after : endAttempt(after, 'charge');
  };
  const changed = await changeSale({ sales, alerts }, sale, follow, (after) => ({
    resume: nextSteps(after, now).length > 0,
    entry: entryOf?.(after),
  }));
  // The answer may be older than what another worker has stored: it says only what has come.
  return isOlder && repeats > 0 ? refreshPayment(changed, parts, entryOf, repeats - 1) : changed;
};
