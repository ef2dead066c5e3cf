import type { CalendarDate, Instant } from '../values/calendar.ts';
import { decisionDue } from './decide-payment.ts';
import { stepOfPending } from './next-steps.ts';
import { isRefusedForGood, outstandingRefunds } from './outstanding-refunds.ts';
import { hasOwnReceipt, isAuthorized, isDisputed, isShort, isUnconfirmed } from './receipts.ts';
import type { Sale } from './sale.ts';

/**
 * What has to happen for a sale to go on, and who does it. Days are inclusive; an absent one is not
 * known.
 *
 * - `pay`: the insured pays, at the URL of the payment.
 * - `charge`: the service asks the gateway for the charge.
 * - `confirm_payment`: the service asks the gateway whether the charge was made, or was paid.
 * - `decide_payment`: the operator accepts or returns money that is less than the price; after
 *   `until`, if there is one, it is returned.
 * - `check_payment`: the operator finds out whether money is there that the gateway does not show any
 *   more, and decides about it.
 * - `quote`, `underwrite`, `issue`: the insurer names its price, decides on the proposal, or issues
 *   the policy.
 * - `refund`: the collector of the money, the service or the channel, returns it.
 * - `name_account`: the insured names a bank account for the refund, on the page `url`.
 * - `authorize_refund`: the operator authorizes the refund at the gateway, or sends the payer the
 *   gateway's page for it, which the service does not know.
 * - `answer_dispute`: the operator answers the payer's bank.
 * - `return_money`: the operator returns what the gateway cannot return, or refuses to.
 */
export type NextAct =
  | { readonly actor: 'insured'; readonly action: 'pay' }
  | {
      readonly actor: 'insured';
      readonly action: 'name_account';
      readonly url: string;
      readonly until?: CalendarDate;
    }
  | { readonly actor: 'service'; readonly action: 'charge' | 'confirm_payment' | 'refund' }
  | { readonly actor: 'insurer'; readonly action: 'quote' | 'underwrite' | 'issue' }
  | { readonly actor: 'channel'; readonly action: 'refund' }
  | {
      readonly actor: 'operator';
      readonly action: 'answer_dispute' | 'decide_payment';
      readonly until?: CalendarDate;
    }
  | {
      readonly actor: 'operator';
      readonly action: 'check_payment' | 'return_money' | 'authorize_refund';
    };

/**
 * The act that a sale waits for; undefined: none, the sale is complete or has ended. A refund comes
 * last, because the sale goes on without it.
 */
export const nextActOf = (sale: Sale, now: Instant): NextAct | undefined =>
  actOfState(sale, now) ?? actOfMoney(sale);

const actOfState = (sale: Sale, now: Instant): NextAct | undefined => {
  const { terms, status, payment } = sale;
  if (sale.receipts.some(isUnconfirmed)) return { actor: 'operator', action: 'check_payment' };
  if (isShort(sale)) return { actor: 'operator', action: 'decide_payment' };
  const until = decisionDue(sale);
  if (until !== undefined)
    return outstandingRefunds(sale).every(({ isOrdered }) => isOrdered)
      ? actOfMoney(sale)
      : { actor: 'operator', action: 'decide_payment', until };
  if (status === 'pending') {
    if (payment.status === 'unknown')
      return isAuthorized(sale) && !sale.issuance?.unpaidPolicy
        ? { actor: 'insurer', action: 'issue' }
        : { actor: 'service', action: 'confirm_payment' };
    return ACTS[stepOfPending(sale)];
  }
  if (status === 'awaiting_payment') {
    if (payment.asks !== undefined && !payment.mayAsk)
      return { actor: 'operator', action: 'decide_payment' };
    const isOver = payment.until !== undefined && payment.until <= now;
    return isOver || payment.isSeen
      ? { actor: 'service', action: 'confirm_payment' }
      : { actor: 'insured', action: 'pay' };
  }
  if (status !== 'paid' || terms.payment.collectedBy === 'channel') return undefined;
  // Cash that was noted by hand is noted no more.
  return hasOwnReceipt(sale)
    ? { actor: 'insurer', action: 'issue' }
    : { actor: 'service', action: 'confirm_payment' };
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
  const waits = refunds.find(({ waitsFor }) => waitsFor)?.waitsFor;
  if (waits !== undefined) {
    const { actor, url, until } = waits;
    return actor === 'operator' || url === undefined
      ? { actor: 'operator', action: 'authorize_refund' }
      : { actor, action: 'name_account', url, until };
  }
  if (refunds.some(isRefusedForGood)) return { actor: 'operator', action: 'return_money' };
  if (refunds.some(({ barred, isOrdered }) => (isOrdered ? !isDisputed(sale) : !barred)))
    return { actor: 'service', action: 'refund' };
  const { dispute } = sale.receipts.find((each) => each.dispute?.status === 'opened') ?? {};
  if (dispute !== undefined) {
    const until = dispute.respondBy && { until: dispute.respondBy };
    return { actor: 'operator', action: 'answer_dispute', ...until };
  }
  return refunds.length > 0 ? { actor: 'operator', action: 'return_money' } : undefined;
};
