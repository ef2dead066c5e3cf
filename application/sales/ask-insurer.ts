import { isBinding, type Sale } from '#domain';
import type { IssuanceOrder, IssuerAnswer, IssuerStep } from '../issuance/issuer.ts';
import { referenceOf } from '../payments/payments.ts';
import { type Answered, type Ask, isSettled, quietly } from './asking.ts';
import { followIssuer } from './follow-reports.ts';
import type { Work } from './work.ts';

/** Asks the insurer for a step. */
export const asInsurer =
  (step: IssuerStep): Ask =>
  async (sale, isRetry, work) => {
    const { issuer, isResumed } = work;
    const { terms, issuance, payment } = sale;
    const paidOn = payment.status === 'approved' ? payment.paidOn : undefined;
    const order: IssuanceOrder = {
      reference: referenceOf(sale),
      terms,
      issuance,
      paidOn,
      on: work.now().on,
    };
    // It may have been done already, by somebody who never heard of it, or by the insurer in its own time.
    const known = isRetry || isResumed ? await issuer.find(order.reference) : 'nothing';
    if (known === 'unknown' || known === 'unreached') return 'unanswered';
    const ahead = shown(known, quietly(work))?.(sale);
    if (ahead !== undefined && isDone(step, ahead)) return shown(known, work) ?? 'unanswered';
    const answer = await issuer.perform(step, order);
    return step === 'withdraw'
      ? withdrawn(sale, answer, work)
      : (shown(answer, work) ?? 'unanswered');
  };

const shown = (answer: IssuerAnswer, { issuer, alerts, now }: Work): Answered | undefined =>
  typeof answer === 'string'
    ? undefined
    : (present) => followIssuer(present, answer, now(), { name: issuer.name, alerts });

/** Whether the papers show that a step was taken. */
const isDone = (step: IssuerStep, { status, issuance }: Sale): boolean => {
  if (step === 'quote') return issuance !== undefined && issuance.quotation.status !== 'draft';
  if (step === 'propose') return issuance?.proposal !== undefined;
  if (step === 'issue') return status !== 'paid';
  return issuance !== undefined && !isBinding(issuance);
};

/**
 * An insurer that knows of no such sale has nothing to withdraw: if it has never shown a paper, and no order for one can
 * still be on its way.
 */
const withdrawn = (sale: Sale, answer: IssuerAnswer, work: Work): Answered | 'unanswered' => {
  const { issuer, alerts } = work;
  const hasShown = sale.issuance !== undefined && sale.issuance.quotation.status !== 'draft';
  if (answer === 'nothing') {
    if (hasShown) alerts.raise({ kind: 'papers_gone', provider: issuer.name, saleId: sale.id });
    return !hasShown && isSettled(sale, 'withdraw_papers', work) ? nothingHeld : 'unanswered';
  }
  const follow = shown(answer, work);
  if (follow === undefined) return 'unanswered';
  return (present) => {
    const after = follow(present);
    return after.issuance?.quotation.status === 'draft' ? nothingHeld(after) : after;
  };
};

const nothingHeld: Answered = (sale) => ({
  ...sale,
  issuance: { quotation: { status: 'cancelled' } },
});
