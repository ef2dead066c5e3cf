import {
  addDays,
  type CalendarDate,
  canBeOrdered,
  chargeNotMade,
  chargeNotOrdered,
  chargeOfOtherAmount,
  isAttemptSettled,
  isAttemptStale,
  lastDayOfBoleto,
  lastDayOfPrice,
  lastReportDay,
  type OutstandingRefund,
  outstandingRefunds,
  type PaymentReport,
  receiptOf,
  type Sale,
  type SaleTerms,
  type ServicePayment,
} from '#domain';
import { endOfDay } from '../clock.ts';
import {
  type ChargeOrder,
  type GatewayAnswer,
  hasReports,
  isOpenCharge,
  type OpenCharge,
  referenceOf,
} from '../payments/payments.ts';
import { followGateway } from './follow-reports.ts';
import { hidePerson } from './hide-person.ts';
import { type Ask, type Follow, type Work, withoutAlerts } from './work.ts';

/** Days that a payer has to pay a link or a boleto. */
const PAYER_DAYS = 3;

/** @param asked the sale about which the gateway was asked */
const follow = (answer: GatewayAnswer, asked: Sale, work: Work): Follow | 'unanswered' => {
  const { payments, alerts, now } = work;
  if (!hasReports(answer)) return 'unanswered';
  return (present) => followGateway(present, answer, now(), { name: payments.name, alerts, asked });
};

/** Orders the charge; on a retry, looks for the charge of the earlier attempt. */
export const askForCharge: Ask = async function askForCharge(sale, isRetry, work) {
  const { payments, alerts, card, now } = work;
  if (!isRetry && isAttemptStale(sale, 'charge', now().at)) return chargeNotOrdered;

  let isFinal = isRetry && isAttemptSettled(sale, 'charge', now().at);
  if (!isRetry) {
    const order = chargeOrder(sale, work);
    const told = await payments.charge(order);
    if (told === 'unreached') return chargeNotOrdered;
    const isUnnamed = typeof told === 'object' && 'unnamed' in told;
    const answer = isUnnamed ? told.unnamed : told;
    if (isUnnamed)
      alerts.raise({ kind: 'reference_missing', provider: payments.name, saleId: sale.id });
    if (hasReports(answer)) return followCharge(untilPriceEnd(answer, order), sale, work);
    // The gateway gave up by itself. A payer with a card does not wait; a late charge is found.
    isFinal = answer === 'failed' && card !== undefined;
  }

  const found = await payments.find(referenceOf(sale), sale.payment.chargeId);
  if (!hasReports(found)) return 'unanswered';
  if (found.length > 0)
    return followCharge(untilPriceEnd(found, chargeOrder(sale, work)), sale, work);
  return isFinal ? (present) => chargeNotMade(present, now().at) : 'unanswered';
};

/** Follows the charge that was made. One of another amount than was ordered is withdrawn at once. */
const followCharge = async (
  reports: readonly PaymentReport[],
  sale: Sale,
  work: Work,
): Promise<Follow | 'unanswered'> => {
  const { payments, now } = work;
  const other = reports
    .filter((each) => each.status === 'awaited')
    .find(({ amount }) => amount !== sale.payment.amount);
  if (other === undefined) return follow(reports, sale, work);

  const { chargeId } = other;
  const answer = await payments.withdraw(referenceOf(sale), chargeId);
  if (!hasReports(answer)) return 'unanswered';
  const left = answer.filter((each) => each.chargeId === chargeId);
  // The payer may have been faster.
  if (left.some(({ status }) => status === 'approved')) return follow(answer, sale, work);
  const isWithdrawn = left.every(({ status }) => status !== 'awaited');
  return (present) => chargeOfOtherAmount(present, other, isWithdrawn, now().at);
};

/** The reports, in which no charge can be paid after the end of its price. */
const untilPriceEnd = (
  reports: readonly PaymentReport[],
  { priceEnd }: ChargeOrder,
): readonly PaymentReport[] =>
  reports.map((report) => {
    const isTooLong = report.status === 'awaited' && priceEnd && priceEnd.at < (report.until ?? '');
    return isTooLong ? { ...report, until: priceEnd.at } : report;
  });

/** The product, the plan and the coverages in words: `Seguro Celular · Mensal · Quebra de tela`. */
const describeInsurance = ({ product, quote }: SaleTerms): string =>
  [product.name ?? product.code, ...quote.prices.map(({ name }) => name)].join(' · ');

/** The last day on which a payment can come. A page without a method also offers boletos. */
const LAST_DAY = {
  credit: (day: CalendarDate) => day,
  boleto: lastDayOfBoleto,
  any: lastReportDay,
};

const chargeOrder = (sale: Sale, work: Work): ChargeOrder => {
  const { card, orderedFrom, now, clock } = work;
  const { terms } = sale;
  const { on } = now();
  const payment = terms.payment as ServicePayment;
  const { method, installments, returnUrl, firstDueOn = addDays(on, PAYER_DAYS) } = payment;
  const { net, iof, total } = terms.quote.premium;

  const priceEnd = lastDayOfPrice(sale, now());
  const upToPriceEnd = (day: CalendarDate) => (priceEnd && priceEnd < day ? priceEnd : day);
  const dueOn = upToPriceEnd(firstDueOn < on ? on : firstDueOn);
  const payerEnd = upToPriceEnd(addDays(on, PAYER_DAYS));

  const lastDay = dueOn > payerEnd ? dueOn : payerEnd;
  const until = endOfDay(clock, LAST_DAY[method ?? 'any'](lastDay));
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
    ...(payment.underwriting === 'authorized' && { isCapturedLater: true }),
    orderedFrom,
    payer: terms.insured,
    until: endsAt !== undefined && endsAt < until ? endsAt : until,
    priceEnd: priceEnd && endsAt && { on: priceEnd, at: endsAt },
  };
};

/**
 * Orders what is due back of one charge. Looks up refunds first, so that none is made twice. An order
 * after which the gateway shows no refund was refused.
 */
export const makeAskForRefund = (chargeId: string): Ask =>
  async function askForRefund(sale, isRetry, work) {
    const { payments, now } = work;
    const reference = referenceOf(sale);
    const found = await payments.find(reference, sale.payment.chargeId);
    const followFound = follow(found, sale, work);
    if (followFound === 'unanswered') return 'unanswered';
    const due = refundToOrder(found, chargeId, sale, work);
    if (due === undefined) return followFound;

    // Wait until an order whose answer was lost cannot take effect any more; then order again.
    const step = `refund ${chargeId}` as const;
    if (isRetry) return isAttemptSettled(sale, step, now().at) ? followFound : 'unanswered';
    if (isAttemptStale(sale, step, now().at)) return followFound;

    const answer = await payments.refund({ reference, chargeId, upTo: due.upTo });
    if (!hasReports(answer)) return 'unanswered';
    const refusal = answer.find((report) => report.status === 'refund_refused');
    const reports = answer.filter((report) => report !== refusal);
    if (refundToOrder(reports, chargeId, sale, work) === undefined)
      return follow(reports, sale, work);
    const words = refusal?.words && { words: hidePerson(refusal.words, sale.terms.insured) };
    const refused = { status: 'refund_refused', chargeId, amount: due.amount, ...words } as const;
    return follow([...reports, refused], sale, work);
  };

/** The refund of a charge that the gateway should be asked for, after what its answer shows. */
const refundToOrder = (
  answer: GatewayAnswer,
  chargeId: string,
  sale: Sale,
  work: Work,
): OutstandingRefund | undefined => {
  const ahead = follow(answer, sale, withoutAlerts(work));
  const refunds = ahead === 'unanswered' ? [] : outstandingRefunds(ahead(sale));
  const due = refunds.find((refund) => refund.chargeId === chargeId);
  return due && canBeOrdered(due, work.now().on) ? due : undefined;
};

/** Takes the money of an authorised card. */
export const askToCapture: Ask = async function askToCapture(sale, _, work) {
  const { chargeId = '' } = sale.payment;
  return follow(await work.payments.capture(referenceOf(sale), chargeId), sale, work);
};

/**
 * Closes every charge that can still be paid, and releases authorised cards, also those that the sale
 * does not know.
 */
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
  isUnwanted: (charge: OpenCharge) => boolean,
): Promise<Follow | 'unanswered'> => {
  const { payments } = work;
  const reference = referenceOf(sale);
  const find = () => payments.find(reference, sale.payment.chargeId);

  const answer = await find();
  const reports = hasReports(answer) ? answer : [];
  const unwanted = reports
    .filter(isOpenCharge)
    .filter(isUnwanted)
    // Money of it was confirmed before: a person finds out where it is.
    .filter(({ chargeId }) => {
      const receipt = receiptOf(sale, chargeId);
      return receipt === undefined || receipt.inCash;
    });
  for (const { chargeId } of unwanted) await payments.withdraw(reference, chargeId);
  return follow(unwanted.length > 0 ? await find() : answer, sale, work);
};
