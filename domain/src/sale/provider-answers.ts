import { isRefusal } from '../refusals/refusal.ts';
import { addDays, type Instant } from '../values/calendar.ts';
import { cancelSale } from './cancel-sale.ts';
import { isBinding, isProposed, NOTHING_HELD } from './issuance.ts';
import type { AwaitedPayment } from './payment.ts';
import type { Sale, SaleStep } from './sale.ts';
import { type Moment, refuseSale } from './sale-transitions.ts';
import { underwritingOf } from './terms.ts';

/** Days that an insurer has, after the coverage has ended, to issue a sale that was paid. */
const ISSUE_WITHIN_DAYS = 7;

/** Whether the service charges a card for the sale. */
export const isChargedToCard = ({ terms: { payment } }: Pick<Sale, 'terms'>): boolean =>
  payment.collectedBy === 'service' && payment.method === 'credit';

/** The gateway was certainly not asked for the charge: it is requested again. */
export const chargeNotOrdered = (sale: Sale): Sale => {
  if (sale.status !== 'pending' || sale.payment.chargeId !== undefined) return sale;
  const { amount, gateway } = sale.payment;
  return { ...sale, payment: { status: 'requested', amount, ...(gateway && { gateway }) } };
};

/**
 * The gateway was asked and has made no charge. A sale by card is refused, because the card is not
 * stored; any other charge is ordered again.
 */
export const chargeNotMade = (sale: Sale, closedAt: Instant): Sale =>
  sale.status === 'pending' && isChargedToCard(sale)
    ? refuseSale(sale, { reason: 'not_charged', closedAt }).state
    : chargeNotOrdered(sale);

/**
 * The gateway has made a charge of another amount than was ordered. If it was withdrawn, the sale is
 * refused. If it stays open, an operator decides. Sales that wait for no charge stay as they are.
 */
export const chargeOfOtherAmount = (
  sale: Sale,
  charge: AwaitedPayment,
  isWithdrawn: boolean,
  closedAt: Instant,
): Sale => {
  if (sale.status !== 'pending') return sale;
  if (isWithdrawn) return refuseSale(sale, { reason: 'not_charged', closedAt }).state;
  const { amount, gateway } = sale.payment;
  const payment = { ...charge, ...(gateway && { gateway }), amount, asks: charge.amount };
  return { ...sale, status: 'awaiting_payment', payment };
};

/**
 * Refuses a sale by card whose card is gone before the gateway was asked: the card is not stored,
 * and the channel must learn that nothing was charged. Other sales stay as they are.
 */
export const refuseWithoutCard = (sale: Sale, closedAt: Instant): Sale =>
  sale.status === 'pending' && isChargedToCard(sale) && sale.payment.status === 'requested'
    ? refuseSale(sale, { reason: 'not_charged', closedAt }).state
    : sale;

/**
 * Cancels, with a full refund, a sale that the service collected and no insurer issued until
 * `ISSUE_WITHIN_DAYS` after its coverage. Other sales stay as they are.
 */
export const endUnissuable = (sale: Sale, now: Moment): Sale => {
  if (sale.status !== 'paid' || sale.terms.payment.collectedBy === 'channel') return sale;

  const { paidOn } = sale.payment;
  const { end } = sale.terms.period;
  if (addDays(paidOn > end ? paidOn : end, ISSUE_WITHIN_DAYS) >= now.on) return sale;

  const ended = cancelSale(sale, now, 'insurer');
  return isRefusal(ended) ? sale : ended.state;
};

/** Whether the insurer has shown any document of the sale. */
export const hasDocuments = ({ issuance }: Sale): boolean =>
  issuance !== undefined && issuance.quotation.status !== 'draft';

/** The insurer knows nothing of the sale and will issue nothing: there is nothing to withdraw. */
export const noDocumentsHeld = (sale: Sale): Sale => ({ ...sale, issuance: NOTHING_HELD });

/** A step that an insurer takes. */
export type InsurerStep = Extract<SaleStep, 'quote' | 'propose' | 'issue' | 'withdraw_papers'>;

/** Whether the documents of the sale show that the insurer has taken a step. */
export const isTakenByInsurer = (sale: Sale, step: InsurerStep): boolean => {
  const { status, issuance, terms } = sale;
  if (step === 'quote') return hasDocuments(sale);
  if (step === 'propose')
    return issuance !== undefined && isProposed(underwritingOf(terms), issuance);
  if (step === 'issue')
    return status === 'pending' ? issuance?.unpaidPolicy !== undefined : status !== 'paid';
  return issuance !== undefined && !isBinding(issuance);
};
