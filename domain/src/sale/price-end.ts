import { lastDayOfRate } from '../pricing/iof.ts';
import type { CalendarDate } from '../values/calendar.ts';
import { isChargedToCard } from './provider-answers.ts';
import type { Sale } from './sale.ts';
import { isUnpaid, type Moment, refuseSale } from './sale-transitions.ts';

type Rates = Pick<Moment, 'iofRates'>;

/**
 * The last day on which the payer may pay a sale's price: the last day of its IOF rate, because the
 * IOF falls due when the premium is received (Decreto 6.306/2007, art. 18). Undefined: no end is
 * known.
 */
export const lastDayOfPrice = (
  { terms }: Pick<Sale, 'terms'>,
  { iofRates }: Rates,
): CalendarDate | undefined => {
  const { iofRate, legalBasis } = terms.quote.premium;
  return lastDayOfRate({ rate: iofRate, legalBasis }, iofRates);
};

/** Whether a day is after the last one on which the price of a sale may be paid. */
const isPriceOver = (sale: Pick<Sale, 'terms'>, day: CalendarDate, rates: Rates): boolean => {
  const lastDay = lastDayOfPrice(sale, rates);
  return lastDay !== undefined && day > lastDay;
};

/**
 * Whether the payer must not pay the sale's page any more. A boleto is not closed: the gateway
 * accepts no payment after its last day, and reports payments of that day later.
 */
export const isPageOver = (sale: Sale, now: Moment): boolean => {
  const { payment } = sale.terms;
  const isBoleto = payment.collectedBy === 'service' && payment.method === 'boleto';
  return !isBoleto && isPriceOver(sale, now.on, now);
};

/**
 * Whether a payment came after the price was over. A card is charged by the service on the day of
 * its price, so that a later day is only the gateway's.
 */
export const isPaidTooLate = (sale: Sale, paidOn: CalendarDate, rates: Rates): boolean =>
  isUnpaid(sale) && !isChargedToCard(sale) && isPriceOver(sale, paidOn, rates);

/**
 * Refuses a sale whose price is over before the gateway was asked for a charge. Other sales stay as
 * they are.
 */
export const refuseOutdatedPrice = (sale: Sale, now: Moment): Sale =>
  sale.status === 'pending' && sale.payment.status === 'requested' && isPriceOver(sale, now.on, now)
    ? refuseSale(sale, { reason: 'price_over', closedAt: now.at }).state
    : sale;
