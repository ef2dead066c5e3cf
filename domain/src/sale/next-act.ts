import type { Instant } from '../values/calendar.ts';
import { stepOfPending } from './next-steps.ts';
import { canBeOrdered, isDisputed, outstandingRefunds } from './receipts.ts';
import type { Sale } from './sale.ts';

/**
 * What has to happen for a sale to go on, and who does it.
 *
 * - `pay`: the insured pays, at the URL of the payment.
 * - `charge`: the service asks the gateway for the charge.
 * - `confirm_payment`: the service asks the gateway whether the charge was made, or was paid.
 * - `quote`, `underwrite`, `issue`: the insurer names its price, decides on the proposal, or issues
 *   the policy.
 * - `refund`: the collector of the money, the service or the channel, returns it.
 * - `answer_dispute`, `return_money`: the operator answers the payer's bank, or returns cash.
 */
export type NextAct =
  | { readonly actor: 'insured'; readonly action: 'pay' }
  | { readonly actor: 'service'; readonly action: 'charge' | 'confirm_payment' | 'refund' }
  | { readonly actor: 'insurer'; readonly action: 'quote' | 'underwrite' | 'issue' }
  | { readonly actor: 'channel'; readonly action: 'refund' }
  | { readonly actor: 'operator'; readonly action: 'answer_dispute' | 'return_money' };

/**
 * The act that a sale waits for; undefined: none, the sale is complete or has ended. A refund comes
 * last, because the sale goes on without it.
 */
export const nextActOf = (sale: Sale, now: Instant): NextAct | undefined =>
  actOfState(sale, now) ?? actOfMoney(sale);

const actOfState = (sale: Sale, now: Instant): NextAct | undefined => {
  const { terms, status, payment } = sale;
  if (status === 'pending') {
    if (payment.status === 'unknown') return { actor: 'service', action: 'confirm_payment' };
    return ACTS[stepOfPending(sale)];
  }
  if (status === 'awaiting_payment') {
    const isOver = payment.until !== undefined && payment.until <= now;
    return isOver
      ? { actor: 'service', action: 'confirm_payment' }
      : { actor: 'insured', action: 'pay' };
  }
  return status === 'paid' && terms.payment.collectedBy === 'service'
    ? { actor: 'insurer', action: 'issue' }
    : undefined;
};

const ACTS: Readonly<Record<ReturnType<typeof stepOfPending>, NextAct>> = {
  quote: { actor: 'insurer', action: 'quote' },
  propose: { actor: 'insurer', action: 'underwrite' },
  charge: { actor: 'service', action: 'charge' },
};

const actOfMoney = (sale: Sale): NextAct | undefined => {
  const refunds = outstandingRefunds(sale);
  if (refunds.some(({ chargeId }) => chargeId === undefined))
    return { actor: 'channel', action: 'refund' };
  const isOrdered = refunds.some((refund) => refund.isOrdered);
  if (refunds.some(canBeOrdered) || (isOrdered && !isDisputed(sale)))
    return { actor: 'service', action: 'refund' };
  if (isDisputed(sale)) return { actor: 'operator', action: 'answer_dispute' };
  return refunds.length > 0 ? { actor: 'operator', action: 'return_money' } : undefined;
};
