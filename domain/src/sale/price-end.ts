import { lastDayOfRate } from '../pricing/iof.ts';
import { lastReportDay } from '../values/bank-days.ts';
import { type CalendarDate, earliestDay } from '../values/calendar.ts';
import { isChargedToCard } from './provider-answers.ts';
import { isAuthorized } from './receipts.ts';
import { type AwaitingPaymentSale, isUnpaid, type Sale } from './sale.ts';
import { type Moment, refuseSale } from './sale-transitions.ts';

type Rates = Pick<Moment, 'iofRates'>;

type Priced = Pick<Sale, 'terms' | 'registeredAt'>;

/**
 * The last day on which the payer may pay a sale's price: that of its version of the catalogue, and
 * that of its IOF rate, because the IOF falls due when the premium is received (Decreto 6.306/2007,
 * art. 18). Undefined: no end is known.
 */
export const lastDayOfPrice = (
  { terms, registeredAt }: Priced,
  { iofRates }: Rates,
): CalendarDate | undefined => {
  const { iofRate: rate, legalBasis } = terms.quote.premium;
  // The day in UTC may be one day late, which finds the same row: it must also fit the price.
  const on = registeredAt.slice(0, 10) as CalendarDate;
  const lastDay = lastDayOfRate({ rate, legalBasis, iofClass: terms.iofClass, on }, iofRates);
  return earliestDay(lastDay, terms.priceUntil);
};

/** Whether a day is after the last one on which the price of a sale may be paid. */
const isPriceOver = (sale: Priced, day: CalendarDate, rates: Rates): boolean => {
  const lastDay = lastDayOfPrice(sale, rates);
  return lastDay !== undefined && day > lastDay;
};

const isBoleto = ({ terms: { payment } }: Priced): boolean =>
  payment.collectedBy === 'service' && payment.method === 'boleto';

/** Whether the time to pay, and to report a payment, is over. */
export const isTimeOver = (sale: AwaitingPaymentSale, now: Moment): boolean => {
  const { until } = sale.payment;
  const lastDay = lastDayOfPrice(sale, now);
  if (
    isBoleto(sale) &&
    until !== undefined &&
    lastDay !== undefined &&
    until.slice(0, 10) >= lastDay
  )
    return now.on > lastReportDay(lastDay);
  return (until !== undefined && until <= now.at) || isPageOver(sale, now);
};

/**
 * Whether the payer must not pay the sale's page any more. A boleto is not closed: the gateway
 * accepts no payment after its last day, and reports payments of that day later.
 */
const isPageOver = (sale: Sale, now: Moment): boolean =>
  !isBoleto(sale) && isPriceOver(sale, now.on, now);

/**
 * Whether a payment came after the price was over. A card is charged by the service on the day of
 * its price, so that a later day is only the gateway's.
 */
export const isPaidTooLate = (sale: Sale, paidOn: CalendarDate, rates: Rates): boolean =>
  isUnpaid(sale) && !isChargedToCard(sale) && isPriceOver(sale, paidOn, rates);

/**
 * Refuses a sale whose price is over before the gateway was asked for a charge, or before a policy was
 * issued on an authorised card. Other sales stay as they are.
 */
export const refuseOutdatedPrice = (sale: Sale, now: Moment): Sale => {
  if (sale.status !== 'pending' || !isPriceOver(sale, now.on, now)) return sale;
  const isUnissued = isAuthorized(sale) && !sale.issuance?.unpaidPolicy;
  return sale.payment.status === 'requested' || isUnissued
    ? refuseSale(sale, { reason: 'price_over', closedAt: now.at }).state
    : sale;
};
