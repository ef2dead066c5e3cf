import type { Moment } from '#domain';
import type { Alerts } from '../alerts.ts';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Issuer } from '../issuance/issuer.ts';
import type { PaymentCard } from '../payments/payment-card.ts';
import type { Payments } from '../payments/payments.ts';
import type { Lease, Sales } from './sales.ts';

export interface AdvanceSaleParts {
  readonly sales: Sales;
  readonly payments: Payments;
  readonly issuer: Issuer;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly alerts: Alerts;
}

/** What only the request that brought the sale knows. */
export interface FromRequest {
  readonly card?: PaymentCard | undefined;
  /** The network address it came from. */
  readonly orderedFrom?: string | undefined;
}

/** One worker's work on one sale. */
export interface Work extends FromRequest, AdvanceSaleParts {
  readonly lease: () => Lease;
  readonly now: () => Moment;
  /** Whether somebody may have been here before: then the insurer's papers are looked at before it is asked for more. */
  readonly isResumed: boolean;
}
