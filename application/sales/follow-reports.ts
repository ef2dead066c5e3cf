import {
  followInsurer,
  followSalePayment,
  type InsurerReport,
  isRefusal,
  type Moment,
  type PaymentReport,
  type Sale,
} from '#domain';
import type { Alerts } from '../alerts.ts';

interface Provider {
  readonly name: string;
  readonly alerts: Alerts;
}

/** The sale after all that a gateway says of its charges; what contradicts the sale is not taken over, and raises an alert. */
export const followGateway = (sale: Sale, reports: readonly PaymentReport[], now: Moment, provider: Provider): Sale =>
  reports.reduce((before, report) => taken(before, followSalePayment(before, report, now), provider), sale);

/** The sale after what an insurer says of its papers. */
export const followIssuer = (sale: Sale, report: InsurerReport, now: Moment, provider: Provider): Sale => {
  const words = Object.values(report.unknownWords ?? {}).filter((word) => word !== undefined);
  if (words.length > 0) provider.alerts.raise({ kind: 'status_unknown', provider: provider.name, saleId: sale.id, words });
  return taken(sale, followInsurer(sale, report, now), provider);
};

const taken = (before: Sale, outcome: ReturnType<typeof followSalePayment>, { name, alerts }: Provider): Sale => {
  if (isRefusal(outcome)) {
    alerts.raise({ kind: 'provider_contradicts', provider: name, saleId: before.id, refusal: outcome.kind });
    return before;
  }
  // Old news leaves the very same sale, so that nothing is written.
  return outcome.events[0].kind === 'ignored' ? before : outcome.state;
};
