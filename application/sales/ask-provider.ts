import {
  type AwaitedPayment,
  addDays,
  type Instant,
  instantOf,
  isBinding,
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
const SETTLING_SECONDS = 240;

/** Days that a payer has for a charge that waits for one. */
const PAYER_DAYS = 3;

/** Asks whoever has to be asked for a step. On a retry, what has become of the earlier attempt is looked for first. */
export const askProvider = async (step: NextStep, sale: Sale, isRetry: boolean, work: Work): Promise<Answered | 'unanswered'> => {
  const answer = await ASK[step](sale, isRetry, work);
  if (answer === 'unanswered') return answer;
  return (present) => withoutAttempt(answer(present), step);
};

const withoutAttempt = (sale: Sale, step: NextStep): Sale => {
  const { attempts = [], ...rest } = sale;
  const others = attempts.filter((each) => each.step !== step);
  if (others.length === attempts.length) return sale;
  return (others.length === 0 ? rest : { ...rest, attempts: others }) as Sale;
};

/** Seconds since a step was begun. */
const age = ({ attempts = [] }: Sale, step: SaleStep, now: Instant): number => {
  const attempt = attempts.find((each) => each.step === step);
  return attempt === undefined ? 0 : (Date.parse(now) - Date.parse(attempt.since)) / 1_000;
};

/** Whoever was held up for so long between storing what it would ask and asking it may no longer be the only one at it. */
const isLate = (sale: Sale, step: SaleStep, { now }: Work): boolean => age(sale, step, now().at) > 20;

const isSettled = (sale: Sale, step: SaleStep, { now }: Work): boolean => age(sale, step, now().at) >= SETTLING_SECONDS;

const heard = (answer: GatewayAnswer, { payments, alerts, now }: Work): Answered | 'unanswered' =>
  typeof answer === 'string' ? 'unanswered' : (present) => followGateway(present, answer, now(), { name: payments.name, alerts });

const charge: Ask = async (sale, isRetry, work) => {
  const { payments, card } = work;
  if (!isRetry && isLate(sale, 'charge', work)) return unasked;
  let isOver = isRetry && isSettled(sale, 'charge', work);
  if (!isRetry) {
    const answer = await payments.charge(chargeOrder(sale, work));
    if (answer === 'unreached') return unasked;
    if (typeof answer !== 'string') return heard(answer, work);
    // A card is not kept waiting for what the gateway itself has given up; should it be charged after all, that is found.
    isOver = answer === 'failed' && card !== undefined;
  }
  const found = await payments.find(referenceOf(sale), sale.payment.chargeId);
  if (typeof found === 'string' || found.length > 0) return heard(found, work);
  return isOver ? (present) => uncharged(present, work.now().at) : 'unanswered';
};

/** The gateway was certainly not asked: the charge is as it was before. */
const unasked: Answered = (sale) =>
  sale.status === 'pending' && sale.payment.chargeId === undefined
    ? { ...sale, payment: { status: 'requested', amount: sale.payment.amount } }
    : sale;

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
    description: [terms.product.code, ...terms.quote.prices.map(({ name }) => name)].join(' · '),
    ...{ net, iof, amount: total, method, installments, dueOn, card, orderedFrom },
    payer: terms.insured,
    until: instantOf(new Date(`${lastDay}T${at.slice(11)}`)),
  };
};

const refund: Ask = async (sale, isRetry, work) => {
  const { payments } = work;
  const reference = referenceOf(sale);
  // What has gone back already is looked for each time: nothing is returned twice.
  const follow = heard(await payments.find(reference, sale.payment.chargeId), work);
  if (follow === 'unanswered') return follow;
  const due = outstandingRefunds(follow(sale)).find(({ chargeId }) => chargeId !== undefined);
  if (due === undefined) return follow;
  // An order whose answer was lost is left alone until it has come to something; then it is over, and another may begin.
  if (isRetry) return isSettled(sale, 'refund', work) ? follow : 'unanswered';
  if (isLate(sale, 'refund', work)) return follow;
  const order = { reference, chargeId: due.chargeId as string, upTo: due.upTo, missing: due.amount } satisfies RefundOrder;
  return heard(await payments.refund(order), work);
};

/** Closes what may still be paid, charges that the sale does not know of included. */
const withdrawCharge: Ask = async (sale, _, work) => withdrawAll(sale, work, () => true);

/** Asks how the charges stand; of several that may be paid, only the sale's own stays open. */
const awaitPayer: Ask = async (sale, _, work) => withdrawAll(sale, work, ({ chargeId }) => chargeId !== sale.payment.chargeId);

const withdrawAll = async (sale: Sale, work: Work, isUnwanted: (charge: AwaitedPayment) => boolean) => {
  const { payments } = work;
  const reference = referenceOf(sale);
  let answer = await payments.find(reference, sale.payment.chargeId);
  const open = typeof answer === 'string' ? [] : answer.filter((each) => each.status === 'awaited');
  for (const { chargeId } of open.filter(isUnwanted)) answer = await payments.withdraw(reference, chargeId);
  return heard(
    answer === 'unreached' ? 'unknown' : await latest(answer, open.length, () => payments.find(reference, sale.payment.chargeId)),
    work,
  );
};

/** A withdrawal may tell of one charge alone: where there were several, all are asked for again. */
const latest = (answer: GatewayAnswer, open: number, find: () => Promise<GatewayAnswer>): Promise<GatewayAnswer> =>
  open > 1 ? find() : Promise.resolve(answer);

const asInsurer =
  (step: IssuerStep): Ask =>
  async (sale, isRetry, work) => {
    const { issuer, isResumed } = work;
    const { terms, issuance, payment } = sale;
    const paidOn = payment.status === 'approved' ? payment.paidOn : undefined;
    const order: IssuanceOrder = { reference: referenceOf(sale), terms, issuance, paidOn, on: work.now().on };
    // It may have been done already, by somebody who never heard of it, or by the insurer in its own time.
    const known = isRetry || isResumed ? await issuer.find(order.reference) : 'nothing';
    if (known === 'unknown' || known === 'unreached') return 'unanswered';
    const already = shown(known, work);
    if (already !== undefined && isDone(step, already(sale))) return already;
    const answer = await issuer.perform(step, order);
    return step === 'withdraw' ? withdrawn(sale, answer, work) : (shown(answer, work) ?? 'unanswered');
  };

const shown = (answer: IssuerAnswer, { issuer, alerts, now }: Work): Answered | undefined =>
  typeof answer === 'string' ? undefined : (present) => followIssuer(present, answer, now(), { name: issuer.name, alerts });

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
