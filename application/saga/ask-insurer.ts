import {
  hasDocuments,
  type InsurerStep,
  isAttemptSettled,
  isTakenByInsurer,
  noDocumentsHeld,
  type Sale,
} from '#domain';
import { type IssuanceOrder, type IssuerAnswer, isReport } from '../issuance/issuer.ts';
import { referenceOf } from '../payments/payments.ts';
import { followInsurerReport } from './follow-reports.ts';
import { type Ask, type Follow, type Work, withoutAlerts } from './work.ts';

/** Asks the insurer to take a step, unless its documents show that it has taken it already. */
export const makeAskInsurer = (step: InsurerStep): Ask =>
  async function askInsurer(sale, isRetry, work) {
    const { issuer, isResumed } = work;
    const { unpaidPolicy, policy } = sale.issuance ?? {};
    if (step === 'issue' && unpaidPolicy && policy === 'active')
      return follow({ policy: unpaidPolicy }, work);
    const order = issuanceOrder(sale, work);

    const known = isRetry || isResumed ? await issuer.find(order.reference) : 'nothing';
    if (known === 'unknown' || known === 'unreached') return 'unanswered';
    const lookAhead = follow(known, withoutAlerts(work));
    if (lookAhead !== 'unanswered' && isTakenByInsurer(lookAhead(sale), step))
      return follow(known, work);

    if (step !== 'withdraw_papers') return follow(await issuer.perform(step, order), work);
    return followWithdrawal(sale, await issuer.perform('withdraw', order), work);
  };

const issuanceOrder = (sale: Sale, { now }: Work): IssuanceOrder => {
  const { terms, issuance, payment } = sale;
  const paidOn = payment.status === 'approved' ? payment.paidOn : undefined;
  return { reference: referenceOf(sale), terms, issuance, paidOn, on: now().on };
};

const follow = (answer: IssuerAnswer, work: Work): Follow | 'unanswered' => {
  const { issuer, alerts, now } = work;
  if (!isReport(answer)) return 'unanswered';
  return (present) => followInsurerReport(present, answer, now(), { name: issuer.name, alerts });
};

/**
 * What the answer to a withdrawal makes of the sale. An insurer that does not know the sale has
 * nothing to withdraw, if it never showed a document and no order can still take effect.
 */
const followWithdrawal = (sale: Sale, answer: IssuerAnswer, work: Work): Follow | 'unanswered' => {
  const { issuer, alerts, now } = work;
  if (answer === 'nothing') {
    if (hasDocuments(sale))
      alerts.raise({ kind: 'papers_gone', provider: issuer.name, saleId: sale.id });
    const isOver = !hasDocuments(sale) && isAttemptSettled(sale, 'withdraw_papers', now().at);
    return isOver ? noDocumentsHeld : 'unanswered';
  }

  const followAnswer = follow(answer, work);
  if (followAnswer === 'unanswered') return 'unanswered';
  return (present) => {
    const after = followAnswer(present);
    return after.issuance?.quotation.status === 'draft' ? noDocumentsHeld(after) : after;
  };
};
