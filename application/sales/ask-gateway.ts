import {
  type AwaitedPayment,
  addDays,
  type Instant,
  instantOf,
  outstandingRefunds,
  refuseSale,
  type Sale,
  type ServicePayment,
} from '#domain';
import {
  type ChargeOrder,
  type GatewayAnswer,
  isByCard,
  referenceOf,
} from '../payments/payments.ts';
import { type Answered, type Ask, isLate, isSettled, quietly } from './asking.ts';
import { followGateway } from './follow-reports.ts';
import type { Work } from './work.ts';

/** Days that a payer has for a charge that waits for one. */
const PAYER_DAYS = 3;

const heard = (answer: GatewayAnswer, { payments, alerts, now }: Work): Answered | 'unanswered' =>
  typeof answer === 'string'
    ? 'unanswered'
    : (present) => followGateway(present, answer, now(), { name: payments.name, alerts });

export const charge: Ask = async (sale, isRetry, work) => {
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
const uncharged = (sale: Sale, closedAt: Instant): Sale =>
  sale.status === 'pending' && isByCard(sale)
    ? refuseSale(sale, { reason: 'not_charged', closedAt }).state
    : unasked(sale);

const chargeOrder = (sale: Sale, { card, orderedFrom, now }: Work): ChargeOrder => {
  const { terms } = sale;
  const { on, at } = now();
  const {
    method,
    installments,
    firstDueOn = addDays(on, PAYER_DAYS),
  } = terms.payment as ServicePayment;
  const { net, iof, total } = terms.quote.premium;
  const dueOn = firstDueOn < on ? on : firstDueOn;
  // A boleto paid on its last day is known on the next working day.
  const lastDay = addDays(
    dueOn > addDays(on, PAYER_DAYS) ? dueOn : addDays(on, PAYER_DAYS),
    method === 'boleto' ? 3 : 0,
  );
  return {
    reference: referenceOf(sale),
    saleId: sale.id,
    description: [terms.product.code, ...terms.quote.prices.map(({ name }) => name)].join(' · '),
    ...{ net, iof, amount: total, method, installments, dueOn, card, orderedFrom },
    payer: terms.insured,
    until: instantOf(new Date(`${lastDay}T${at.slice(11)}`)),
  };
};

export const refund: Ask = async (sale, isRetry, work) => {
  const { payments } = work;
  const reference = referenceOf(sale);
  // What has gone back already is looked for each time: nothing is returned twice.
  const found = await payments.find(reference, sale.payment.chargeId);
  const [follow, ahead] = [heard(found, work), heard(found, quietly(work))];
  if (follow === 'unanswered' || ahead === 'unanswered') return 'unanswered';
  const due = outstandingRefunds(ahead(sale)).find(({ chargeId }) => chargeId !== undefined);
  if (due === undefined) return follow;
  // An order whose answer was lost is left alone until it has come to something; then it is over, and another may begin.
  if (isRetry) return isSettled(sale, 'refund', work) ? follow : 'unanswered';
  if (isLate(sale, 'refund', work)) return follow;
  return heard(
    await payments.refund({ reference, chargeId: due.chargeId as string, upTo: due.upTo }),
    work,
  );
};

/** Closes what may still be paid, charges that the sale does not know of included. */
export const withdrawCharge: Ask = async (sale, _, work) => withdrawAll(sale, work, () => true);

/** Asks how the charges stand; of several that may be paid, only the sale's own stays open. */
export const awaitPayer: Ask = async (sale, _, work) =>
  withdrawAll(sale, work, ({ chargeId }) => chargeId !== sale.payment.chargeId);

const withdrawAll = async (
  sale: Sale,
  work: Work,
  isUnwanted: (charge: AwaitedPayment) => boolean,
) => {
  const { payments } = work;
  const reference = referenceOf(sale);
  const find = () => payments.find(reference, sale.payment.chargeId);
  const answer = await find();
  const unwanted =
    typeof answer === 'string'
      ? []
      : answer.filter((each) => each.status === 'awaited').filter(isUnwanted);
  for (const { chargeId } of unwanted) await payments.withdraw(reference, chargeId);
  return heard(unwanted.length > 0 ? await find() : answer, work);
};
