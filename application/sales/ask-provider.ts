import {
  type Attempt,
  addDays,
  type Instant,
  instantOf,
  outstandingRefunds,
  refuseSale,
  type Sale,
  type SaleStep,
  type ServicePayment,
} from '#domain';
import type { IssuanceOrder, IssuerAnswer, IssuerStep } from '../issuance/issuer.ts';
import { type ChargeOrder, type GatewayAnswer, type RefundOrder, referenceOf } from '../payments/payments.ts';
import { followGateway, followIssuer } from './follow-reports.ts';
import type { NextStep } from './next-step.ts';
import type { Work } from './work.ts';

/** What an answer makes of the sale as it is then; the attempt is over with it. */
type Answered = (present: Sale) => Sale;

type Ask = (sale: Sale, isRetry: boolean, work: Work) => Promise<Answered | 'unanswered'>;

/** So long after a charge or refund was ordered it may still come into being without having been heard of. */
export const SETTLING_SECONDS = 120;

/** Days that a payer has for a charge that waits for one. */
export const PAYER_DAYS = 3;

/** Asks whoever has to be asked for a step. On a retry, what has become of the earlier attempt is looked for first. */
export const askProvider = async (step: NextStep, sale: Sale, isRetry: boolean, work: Work): Promise<Answered | 'unanswered'> => {
  const answer = await ASK[step](sale, isRetry, work);
  if (answer === 'unanswered') return answer;
  return (present) => withoutAttempt(answer(present), sale.attempt);
};

const withoutAttempt = (sale: Sale, attempt: Attempt | undefined): Sale => {
  if (sale.attempt === undefined || sale.attempt.since !== attempt?.since) return sale;
  const { attempt: _, ...rest } = sale;
  return rest as Sale;
};

const isSettled = ({ attempt }: Sale, now: Instant): boolean =>
  attempt === undefined || Date.parse(now) - Date.parse(attempt.since) >= SETTLING_SECONDS * 1_000;

/** Whoever was held up for so long between storing what it would ask and asking it may no longer be the only one at it. */
const isLate = ({ attempt }: Sale, now: Instant): boolean =>
  attempt !== undefined && Date.parse(now) - Date.parse(attempt.since) > 20_000;

const heard = (answer: GatewayAnswer, { payments, alerts, now }: Work): Answered | 'unanswered' =>
  typeof answer === 'string' ? 'unanswered' : (present) => followGateway(present, answer, now(), { name: payments.name, alerts });

const charge: Ask = async (sale, isRetry, work) => {
  const { payments } = work;
  const reference = referenceOf(sale);
  if (!isRetry && isLate(sale, work.now().at)) return unasked;
  let isOver = isRetry && isSettled(sale, work.now().at);
  if (!isRetry) {
    const answer = await payments.charge(chargeOrder(sale, work));
    if (answer === 'unreached') return unasked;
    if (typeof answer !== 'string') return heard(answer, work);
    isOver = answer === 'failed';
  }
  const found = await payments.find(reference);
  if (typeof found === 'string' || found.length > 0) return heard(found, work);
  return isOver ? (present) => uncharged(present, work.now().at) : 'unanswered';
};

/** The gateway was certainly not asked: the charge is as it was before. */
const unasked: Answered = (sale) =>
  sale.status === 'pending' ? { ...sale, payment: { status: 'requested', amount: sale.payment.amount } } : sale;

/** The gateway was asked and has made no charge: a card is gone by now; where there was none, a charge is ordered anew. */
const uncharged = (sale: Sale, closedAt: Instant): Sale => {
  const { payment } = sale.terms;
  const isCard = payment.collectedBy === 'service' && payment.method === 'credit';
  return sale.status === 'pending' && isCard ? refuseSale(sale, { reason: 'not_charged', closedAt }).state : unasked(sale);
};

const chargeOrder = (sale: Sale, { card, orderedFrom, now }: Work): ChargeOrder => {
  const { terms } = sale;
  const { on, at } = now();
  const { method, installments, firstDueOn = addDays(on, PAYER_DAYS) } = terms.payment as ServicePayment;
  const { net, iof, total } = terms.quote.premium;
  const dueOn = firstDueOn < on ? on : firstDueOn;
  // A boleto paid on its last day is known on the next working day.
  const lastDay = addDays(dueOn > addDays(on, PAYER_DAYS) ? dueOn : addDays(on, PAYER_DAYS), method === 'boleto' ? 3 : 0);
  return {
    reference: referenceOf(sale),
    saleId: sale.id,
    description: terms.product.code,
    ...{ net, iof, amount: total, method, installments, dueOn, card, orderedFrom },
    payer: terms.insured,
    until: instantOf(new Date(`${lastDay}T${at.slice(11)}`)),
  };
};

const refund: Ask = async (sale, isRetry, work) => {
  const { payments, now } = work;
  const reference = referenceOf(sale);
  // What has gone back already is looked for each time: nothing is returned twice.
  const found = await payments.find(reference);
  const follow = heard(found, work);
  if (follow === 'unanswered') return follow;
  const [due] = outstandingRefunds(follow(sale)).filter(({ chargeId }) => chargeId !== undefined);
  if (due === undefined) return follow;
  if (isRetry ? !isSettled(sale, now().at) : isLate(sale, now().at)) return 'unanswered';
  const order = { reference, chargeId: due.chargeId as string, upTo: due.upTo, missing: due.amount } satisfies RefundOrder;
  return heard(await payments.refund(order), work);
};

const withdrawCharge: Ask = async (sale, _, work) =>
  heard(await work.payments.withdraw(referenceOf(sale), sale.payment.chargeId as string), work);

const awaitPayer: Ask = async (sale, _, work) => heard(await work.payments.find(referenceOf(sale)), work);

const asInsurer =
  (step: IssuerStep): Ask =>
  async (sale, isRetry, { issuer, alerts, now }) => {
    const { terms, issuance, payment } = sale;
    const paidOn = payment.status === 'approved' ? payment.paidOn : undefined;
    const { on } = now();
    const reference = referenceOf(sale);
    const order: IssuanceOrder = { reference, terms, issuance, paidOn, on };
    // Whoever does the same for the same reference only once may be asked at once; but it may have been done already.
    const known = isRetry ? await issuer.find(reference) : 'nothing';
    const follow = (answer: IssuerAnswer): Answered | undefined =>
      typeof answer === 'string' ? undefined : (present) => followIssuer(present, answer, now(), { name: issuer.name, alerts });
    const already = follow(known);
    if (already !== undefined && isDone(step, already(sale))) return already;
    if (known === 'unknown' || known === 'unreached') return 'unanswered';
    const answer = await issuer.perform(step, order);
    if (answer === 'nothing') return step === 'withdraw' ? nothingHeld : 'unanswered';
    return follow(answer) ?? 'unanswered';
  };

/** Whether the papers show that a step was taken. */
const isDone = (step: IssuerStep, { status, issuance }: Sale): boolean => {
  if (step === 'quote') return issuance !== undefined && issuance.quotation.status !== 'draft';
  if (step === 'propose') return issuance?.proposal !== undefined;
  return step === 'issue' && status !== 'paid';
};

/** The insurer knows of no such sale: there is nothing to withdraw. */
const nothingHeld: Answered = (sale) => ({ ...sale, issuance: { quotation: { status: 'cancelled' } } });

const ASK: Readonly<Record<SaleStep | 'await', Ask>> = {
  quote: asInsurer('quote'),
  propose: asInsurer('propose'),
  charge,
  issue: asInsurer('issue'),
  withdraw_charge: withdrawCharge,
  refund,
  withdraw_papers: asInsurer('withdraw'),
  await: awaitPayer,
};
