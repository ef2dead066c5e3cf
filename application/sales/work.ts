import type { Moment } from '#domain';
import type { PaymentCard } from '../payments/payment-card.ts';
import type { Ports } from '../ports.ts';
import type { Lease } from './sales.ts';

export type AdvanceNeeds = Pick<
  Ports,
  'sales' | 'payments' | 'issuer' | 'clock' | 'identifiers' | 'alerts'
>;

/** What only the request that brought the sale knows. */
export interface FromRequest {
  readonly card?: PaymentCard | undefined;
  /** The network address it came from. */
  readonly orderedFrom?: string | undefined;
}

/** One worker's work on one sale. */
export interface Work extends FromRequest, AdvanceNeeds {
  readonly lease: () => Lease;
  readonly now: () => Moment;
  /** Whether somebody may have been here before: then the insurer's papers are looked at before it is asked for more. */
  readonly isResumed: boolean;
}
