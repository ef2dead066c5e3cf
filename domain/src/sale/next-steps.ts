import type { Instant } from '../values/calendar.ts';
import { attemptAt } from './attempts.ts';
import { isBinding, isProposed } from './issuance.ts';
import { canBeOrdered, outstandingRefunds } from './outstanding-refunds.ts';
import { isTimeOver } from './price-end.ts';
import {
  hasOwnReceipt,
  isAuthorized,
  isChargeOpen,
  isDisputed,
  isPaidBy,
  isUnconfirmed,
  undecidedReceipts,
} from './receipts.ts';
import type { PendingSale, Sale, SaleStep } from './sale.ts';
import type { Moment } from './sale-transitions.ts';
import { underwritingOf } from './terms.ts';

/** `await`: the payer or the gateway has to act; ask the gateway now and then. */
export type NextStep = SaleStep | 'await';

/** A charge that was not found is looked for this long after the sale has ended, in hours. */
const LOOK_FOR_CHARGE_HOURS = 24;

/**
 * What the service has to do for a sale, the most urgent first. Empty: nothing, until a provider or
 * the channel reports something. Steps for different providers are listed together, so that a
 * provider that fails does not hold up the other one.
 */
export const nextSteps = (sale: Sale, now: Moment): readonly NextStep[] => {
  // The channel returns what the channel collected.
  if (sale.terms.payment.collectedBy === 'channel') return [];
  // First find a charge that may have been made, in whatever state the sale is.
  if (mayBeCharged(sale)) return ['charge'];

  const due = outstandingRefunds(sale).filter(({ chargeId }) => chargeId !== undefined);
  const toOrder = due.filter((refund) => canBeOrdered(refund, now.on));
  const steps = new Set<NextStep>(toOrder.map(({ chargeId }) => `refund ${chargeId}` as const));
  for (const step of stepsOfState(sale, now)) steps.add(step);
  // The gateway says when a refund has left, when a dispute is over, and where money is.
  const isOnItsWay = sale.receipts.some(({ ordered }) => ordered !== undefined);
  const isMissing = sale.receipts.some(({ unconfirmed }) => unconfirmed !== undefined);
  if (isDisputed(sale) || isOnItsWay || isMissing || toOrder.length < due.length)
    steps.add('await');
  return [...steps];
};

/** Whether the gateway may have been asked for a charge, and its answer is not known. */
const mayBeCharged = (sale: Sale): boolean =>
  sale.payment.status === 'unknown' &&
  sale.payment.chargeId === undefined &&
  attemptAt(sale, 'charge') !== undefined;

const stepsOfState = (sale: Sale, now: Moment): readonly NextStep[] => {
  if (undecidedReceipts(sale).length > 0) return ['await'];
  switch (sale.status) {
    case 'pending':
      if (sale.payment.status !== 'unknown') return [stepOfPending(sale)];
      if (!isAuthorized(sale)) return ['await'];
      return sale.issuance?.unpaidPolicy ? ['capture'] : ['issue', 'await'];
    case 'awaiting_payment':
      return [isTimeOver(sale, now) ? 'withdraw_charge' : 'await'];
    case 'paid':
      if (!hasOwnReceipt(sale) || sale.receipts.some(isUnconfirmed)) return ['await'];
      return isLeaving(sale) ? [] : ['issue'];
    case 'issued':
      return [];
    default:
      return stepsOfEnded(sale, now.at);
  }
};

/** Whether the whole payment of the sale is on its way back: a person ordered it at the gateway. */
const isLeaving = (sale: Sale): boolean =>
  sale.receipts.some(
    ({ chargeId, ordered, amount }) => ordered === amount && isPaidBy(sale, chargeId),
  );

/** The step that a sale takes before the gateway has been asked for a charge. */
export const stepOfPending = ({
  terms,
  issuance,
}: PendingSale): Extract<SaleStep, 'quote' | 'propose' | 'charge'> => {
  const underwriting = underwritingOf(terms);
  if (underwriting === undefined) return 'charge';
  if (issuance === undefined || issuance.quotation.status === 'draft') return 'quote';
  return isProposed(underwriting, issuance) ? 'charge' : 'propose';
};

type EndedSale = Extract<Sale, { status: 'refused' | 'expired' | 'cancelled' | 'refunded' }>;

/** Close a charge that can still be paid; withdraw documents that the insurer still holds. */
const stepsOfEnded = (sale: EndedSale, at: Instant): readonly NextStep[] => {
  const { payment, issuance } = sale;
  const { chargeId, status } = payment;

  const steps: NextStep[] = [];
  if (isChargeOpen(sale)) steps.push('withdraw_charge');
  if (issuance !== undefined && isBinding(issuance)) steps.push('withdraw_papers');
  if (chargeId === undefined && status === 'unknown' && isRecent(sale, at)) steps.push('await');
  return steps;
};

const isRecent = (sale: EndedSale, at: Instant): boolean => {
  const endedAt = 'closedAt' in sale ? sale.closedAt : sale.cancelledAt;
  return Date.parse(at) - Date.parse(endedAt) < LOOK_FOR_CHARGE_HOURS * 3_600_000;
};
