import {
  type CalendarDate,
  checkDeclaredFigures,
  derivePlanPrice,
  findHeldQuote,
  findIofRate,
  type HeldQuotes,
  type Instant,
  type IofRate,
  isRefusal,
  type Offer,
  type PriceRefusal,
  type Quote,
  quote,
  quoteRefusals,
  type Refusal,
} from '#domain';
import { namesPlan, type OpenedQuote } from '../quotes/open-quote.ts';
import { eventOnIn, paidOnIn, type SaleRefusal, type SaleRequest } from './sale-request.ts';

/** When a sale is priced, by which taxes, and on which quote, if it has one. */
export interface PricingContext {
  readonly today: CalendarDate;
  readonly now: Instant;
  readonly iofRates: readonly IofRate[];
  readonly opened?: OpenedQuote | Refusal<'quote_unknown'> | undefined;
}

/** A price, and what contradicts it in the request. */
interface PricedSale {
  readonly quoted: Quote | Refusal<PriceRefusal>;
  readonly faults: readonly SaleRefusal[];
}

/** The price of a sale: that of its quote or, without one, that of the catalogue today. */
export const priceSale = (
  offer: Offer,
  request: SaleRequest,
  context: PricingContext,
): PricedSale => {
  const { opened } = context;
  if (opened === undefined) {
    const quoted = priceByCatalogue(offer, request, context);
    const faults = isRefusal(quoted)
      ? [quoted]
      : checkDeclaredFigures(request.declaredFigures ?? {}, quoted.premium);
    return { quoted, faults };
  }
  if (isRefusal(opened))
    return { quoted: priceByCatalogue(offer, request, context), faults: [opened] };
  const { held } = opened;
  return {
    quoted: findHeldQuote(held, offer) ?? priceByCatalogue(offer, request, context),
    faults: findQuoteFaults(held, offer, request, context),
  };
};

/** The rate is that of the day on which the insured pays: to the channel, or today to the service. */
const paidOnOr = (today: CalendarDate, request: SaleRequest): CalendarDate =>
  paidOnIn(request) ?? today;

const priceByCatalogue = (
  offer: Offer,
  request: SaleRequest,
  { today, iofRates }: PricingContext,
) =>
  quote(offer, {
    on: paidOnOr(today, request),
    iofRates,
    insuredAmount: request.insuredAmount,
    declaredPrice: priceIn(request, offer),
  });

/** The price in the request, if the request may set it. */
export const priceIn = (
  {
    declaredPrice: price,
    declaredFigures = {},
    insuredAmount,
  }: Pick<SaleRequest, 'declaredPrice' | 'declaredFigures' | 'insuredAmount'>,
  offer: Offer,
) =>
  price ??
  (offer.plan.tariff.kind === 'declared'
    ? derivePlanPrice(offer, declaredFigures, insuredAmount)
    : undefined);

const findQuoteFaults = (
  held: HeldQuotes,
  offer: Offer,
  request: SaleRequest,
  { today, now, iofRates }: PricingContext,
): readonly SaleRefusal[] => {
  const { iofClass } = offer.product;
  const whenPaid = findIofRate(iofClass, paidOnOr(today, request), iofRates);
  const asQuoted = findIofRate(iofClass, held.paidOn, iofRates);
  if (isRefusal(whenPaid)) return [whenPaid];
  if (isRefusal(asQuoted)) return [asQuoted];
  return quoteRefusals(held, {
    ...request,
    offer,
    isPlanNamed: request.plan !== undefined || namesPlan(request.product, offer.product),
    eventOn: request.eventOn ?? eventOnIn(request),
    now,
    rates: { whenPaid, asQuoted },
  });
};
