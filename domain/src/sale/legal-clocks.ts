import type { Sale } from './sale.ts';
import { isUnpaid } from './sale-transitions.ts';

/**
 * Days that an insurer has to refuse a proposal; after them it counts as accepted (Lei 15.040/2024,
 * art. 49).
 */
export const POLICY_DAYS = 25;

/** Days in which the insured must get the document of the contract (Lei 15.040/2024, art. 55). */
export const CERTIFICATE_DAYS = 30;

/**
 * Whether the insured waits for the insurer's policy. The proposal is made by the sale itself: the
 * channel receives it for the insurer.
 */
export const awaitsPolicy = (sale: Sale): boolean =>
  isUnpaid(sale) || (sale.status === 'paid' && sale.terms.payment.collectedBy === 'service');
