import type { Moment, Sale } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Issuer } from '../issuance/issuer.ts';
import type { Gateways } from '../payments/gateways.ts';
import type { PaymentCard } from '../payments/payment-card.ts';
import type { Payments } from '../payments/payments.ts';
import type { Lease, Sales } from '../sales/sales.ts';

/** What only the request that brought the sale knows. Nothing of it is stored. */
export interface FromRequest {
  readonly card?: PaymentCard | undefined;
  /** The payer's network address. */
  readonly orderedFrom?: string | undefined;
}

export interface SagaPorts {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly gateways: Gateways;
  readonly issuer: Issuer;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly alerts: Alerts;
}

/** One worker's work on one sale. */
export interface Work extends FromRequest, SagaPorts {
  /** The gateway of the sale. */
  readonly payments: Payments;
  /** The lease under which the next change is stored. */
  readonly lease: () => Lease;
  readonly now: () => Moment;
  /** Whether another worker may have been here: then ask for the insurer's documents before a step. */
  readonly isResumed: boolean;
  /** Whether a caller waits for the end of the work. */
  readonly isWaitedFor: boolean;
}

/** What a provider's answer makes of the sale as it is stored by then. */
export type Follow = (present: Sale) => Sale;

/**
 * Asks a provider to take a step. `isRetry`: an earlier attempt is open, so first find out what it
 * has done. `unanswered`: the outcome is not known, and the attempt stays open.
 */
export type Ask = (sale: Sale, isRetry: boolean, work: Work) => Promise<Follow | 'unanswered'>;

/** The work without its alerts, for a look ahead. */
export const withoutAlerts = (work: Work): Work => ({
  ...work,
  alerts: { raise: () => {}, raiseStored: () => {} },
});
