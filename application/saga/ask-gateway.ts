import {
  type AwaitedPayment,
  addDays,
  type CalendarDate,
  canBeOrdered,
  chargeNotMade,
  chargeNotOrdered,
  daysBetween,
  instantOf,
  isAttemptSettled,
  isAttemptStale,
  lastDayOfPrice,
  outstandingRefunds,
  type Sale,
  type SaleTerms,
  type ServicePayment,
} from '#domain';
import { endOfDay } from '../clock.ts';
import {
  type ChargeOrder,
  type GatewayAnswer,
  hasReports,
  referenceOf,
} from '../payments/payments.ts';
import { followGateway } from './follow-reports.ts';
import { type Ask, type Follow, type Work, withoutAlerts } from './work.ts';

/** Days that a payer has to pay a link or a boleto. */
const PAYER_DAYS = 3;

const DAY_MS = 86_400_000;

/** Days to wait for a boleto after its last day: banks report it on the next working day. */
const BOLETO_SETTLEMENT_DAYS = 3;

const follow = (answer: GatewayAnswer, work: Work): Follow | 'unanswered' => {
  const { payments, alerts, now } = work;
  if (!hasReports(answer)) return 'unanswered';
  return (present) => followGateway(present, answer, now(), { name: payments.name, alerts });
};

/** Orders the charge; on a retry, looks for the charge of the earlier attempt. */
export const askForCharge: Ask = async function askForCharge(sale, isRetry, work) {
  const { payments, card, now } = work;
  if (!isRetry && isAttemptStale(sale, 'charge', now().at)) return chargeNotOrdered;

  let isFinal = isRetry && isAttemptSettled(sale, 'charge', now().at);
  if (!isRetry) {
    const answer = await payments.charge(chargeOrder(sale, work));
    if (answer === 'unreached') return chargeNotOrdered;
    if (hasReports(answer)) return follow(answer, work);
    // The gateway gave up by itself. A payer with a card does not wait; a late charge is found.
    isFinal = answer === 'failed' && card !== undefined;
  }

  const found = await payments.find(referenceOf(sale), sale.payment.chargeId);
  if (!hasReports(found) || found.length > 0) return follow(found, work);
  return isFinal ? (present) => chargeNotMade(present, now().at) : 'unanswered';
};

/** The product, the plan and the coverages in words: `Seguro Celular · Mensal · Quebra de tela`. */
const describeInsurance = ({ product, quote }: SaleTerms): string =>
  [product.name ?? product.code, ...quote.prices.map(({ name }) => name)].join(' · ');

const chargeOrder = (sale: Sale, work: Work): ChargeOrder => {
  const { card, orderedFrom, now, clock } = work;
  const { terms } = sale;
  const { on, at } = now();
  const payment = terms.payment as ServicePayment;
  const { method, installments, returnUrl, firstDueOn = addDays(on, PAYER_DAYS) } = payment;
  const { net, iof, total } = terms.quote.premium;

  const priceEnd = lastDayOfPrice(sale, now());
  const upToPriceEnd = (day: CalendarDate) => (priceEnd && priceEnd < day ? priceEnd : day);
  const dueOn = upToPriceEnd(firstDueOn < on ? on : firstDueOn);
  const payerEnd = upToPriceEnd(addDays(on, PAYER_DAYS));

  const lastDay = dueOn > payerEnd ? dueOn : payerEnd;
  const days = daysBetween(on, lastDay) + (method === 'boleto' ? BOLETO_SETTLEMENT_DAYS : 0);
  const until = instantOf(new Date(Date.parse(at) + days * DAY_MS));
  const endsAt = priceEnd && endOfDay(clock, priceEnd);

  return {
    reference: referenceOf(sale),
    saleId: sale.id,
    description: describeInsurance(terms),
    net,
    iof,
    amount: total,
    method,
    installments,
    returnUrl,
    dueOn,
    card,
    orderedFrom,
    payer: terms.insured,
    until: endsAt !== undefined && lastDay === priceEnd && method !== 'boleto' ? endsAt : until,
    priceEnd: priceEnd && endsAt && { on: priceEnd, at: endsAt },
  };
};

/** Orders what is due back of one charge. Looks up refunds first, so that none is made twice. */
export const askForRefund: Ask = async function askForRefund(sale, isRetry, work) {
  const { payments, now } = work;
  const reference = referenceOf(sale);
  const found = await payments.find(reference, sale.payment.chargeId);
  const [followFound, lookAhead] = [follow(found, work), follow(found, withoutAlerts(work))];
  if (followFound === 'unanswered' || lookAhead === 'unanswered') return 'unanswered';

  const refunds = outstandingRefunds(lookAhead(sale));
  const due = refunds.find(canBeOrdered);
  if (due?.chargeId === undefined) return followFound;

  // Wait until an order whose answer was lost cannot take effect any more; then order again.
  if (isRetry) return isAttemptSettled(sale, 'refund', now().at) ? followFound : 'unanswered';
  if (isAttemptStale(sale, 'refund', now().at)) return followFound;

  const { chargeId, upTo } = due;
  return follow(await payments.refund({ reference, chargeId, upTo }), work);
};

/** Closes every charge that can still be paid, also those that the sale does not know. */
export const askToWithdrawCharge: Ask = async function askToWithdrawCharge(sale, _, work) {
  return withdrawCharges(sale, work, () => true);
};

/** Asks for the charges. If several can be paid, only the sale's own charge stays open. */
export const askWhetherPaid: Ask = async function askWhetherPaid(sale, _, work) {
  return withdrawCharges(sale, work, ({ chargeId }) => chargeId !== sale.payment.chargeId);
};

const withdrawCharges = async (
  sale: Sale,
  work: Work,
  isUnwanted: (charge: AwaitedPayment) => boolean,
): Promise<Follow | 'unanswered'> => {
  const { payments } = work;
  const reference = referenceOf(sale);
  const find = () => payments.find(reference, sale.payment.chargeId);

  const answer = await find();
  const reports = hasReports(answer) ? answer : [];
  const unwanted = reports.filter((each) => each.status === 'awaited').filter(isUnwanted);
  for (const { chargeId } of unwanted) await payments.withdraw(reference, chargeId);
  return follow(unwanted.length > 0 ? await find() : answer, work);
};
