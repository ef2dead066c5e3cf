import {
  type AwaitedPayment,
  addDays,
  type CalendarDate,
  canBeOrdered,
  chargeNotMade,
  chargeNotOrdered,
  isAttemptSettled,
  isAttemptStale,
  lastDayOfBoleto,
  lastDayOfPrice,
  lastReportDay,
  outstandingRefunds,
  type PaymentReport,
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

/** @param asked the sale about which the gateway was asked */
const follow = (answer: GatewayAnswer, asked: Sale, work: Work): Follow | 'unanswered' => {
  const { payments, alerts, now } = work;
  if (!hasReports(answer)) return 'unanswered';
  return (present) => followGateway(present, answer, now(), { name: payments.name, alerts, asked });
};

/** Orders the charge; on a retry, looks for the charge of the earlier attempt. */
export const askForCharge: Ask = async function askForCharge(sale, isRetry, work) {
  const { payments, card, now } = work;
  if (!isRetry && isAttemptStale(sale, 'charge', now().at)) return chargeNotOrdered;

  let isFinal = isRetry && isAttemptSettled(sale, 'charge', now().at);
  if (!isRetry) {
    const order = chargeOrder(sale, work);
    const answer = await payments.charge(order);
    if (answer === 'unreached') return chargeNotOrdered;
    if (hasReports(answer)) return follow(untilPriceEnd(answer, order), sale, work);
    // The gateway gave up by itself. A payer with a card does not wait; a late charge is found.
    isFinal = answer === 'failed' && card !== undefined;
  }

  const found = await payments.find(referenceOf(sale), sale.payment.chargeId);
  if (!hasReports(found)) return 'unanswered';
  if (found.length > 0) return follow(untilPriceEnd(found, chargeOrder(sale, work)), sale, work);
  return isFinal ? (present) => chargeNotMade(present, now().at) : 'unanswered';
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
    orderedFrom,
    payer: terms.insured,
    until: endsAt !== undefined && endsAt < until ? endsAt : until,
    priceEnd: priceEnd && endsAt && { on: priceEnd, at: endsAt },
  };
};

/** Orders what is due back of one charge. Looks up refunds first, so that none is made twice. */
export const askForRefund: Ask = async function askForRefund(sale, isRetry, work) {
  const { payments, now } = work;
  const reference = referenceOf(sale);
  const found = await payments.find(reference, sale.payment.chargeId);
  const [followFound, lookAhead] = [
    follow(found, sale, work),
    follow(found, sale, withoutAlerts(work)),
  ];
  if (followFound === 'unanswered' || lookAhead === 'unanswered') return 'unanswered';

  const refunds = outstandingRefunds(lookAhead(sale));
  const due = refunds.find((refund) => canBeOrdered(refund, now().on));
  if (due?.chargeId === undefined) return followFound;

  // Wait until an order whose answer was lost cannot take effect any more; then order again.
  if (isRetry) return isAttemptSettled(sale, 'refund', now().at) ? followFound : 'unanswered';
  if (isAttemptStale(sale, 'refund', now().at)) return followFound;

  const { chargeId, upTo } = due;
  return follow(await payments.refund({ reference, chargeId, upTo }), sale, work);
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
  return follow(unwanted.length > 0 ? await find() : answer, sale, work);
};
