import {
  type CalendarDate,
  channelTextsOf,
  type IofRate,
  lastDayOfRate,
  type Offer,
  type Quote,
  refuse,
  type SaleTerms,
  saleTerms,
} from '#domain';
import type { CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { NotSellable } from '../sales/sale-refusals.ts';
import type { SaleRequest } from '../sales/sale-request.ts';
import { type Assess, given } from './assess-sale.ts';
import type { OpenQuote } from './open-quote.ts';
import type { PricingContext } from './price-sale.ts';

interface Needs {
  readonly clock: Clock;
  readonly assess: Assess;
  readonly openQuote: OpenQuote;
}

/** Finds the terms on which a request can be sold today. At once, unless it has a quote to open. */
export type AgreeTerms = (
  request: SaleRequest,
  catalogue: CurrentCatalogue,
) => SaleTerms | NotSellable | Promise<SaleTerms | NotSellable>;

export const makeAgreeTerms = ({ assess, clock, openQuote }: Needs): AgreeTerms => {
  const agree = (
    request: SaleRequest,
    catalogue: CurrentCatalogue,
    opened?: PricingContext['opened'],
  ): SaleTerms | NotSellable => {
    const { offer, quoted, period, reasons, attributeFaults } = assess(request, catalogue, opened);
    if (reasons.length > 0 || attributeFaults.length > 0)
      return notSellable(reasons, attributeFaults);
    if (offer === undefined || quoted === undefined || period === undefined)
      throw new Error('a request without faults has no terms');

    const today = clock.today();
    const { channelLink, seller, insured, insuredObject, insuredAmount, idempotency } = request;
    const { additionalInsured, acceptance, soldOn = today } = request;
    const dates = { today, iofRates: catalogue.iofRates };
    const payment = dueWithinPrice(request.payment, offer, quoted, dates);
    const isByService = payment.collectedBy === 'service';
    return saleTerms(offer, quoted, {
      channelLink,
      clientId: seller.clientId,
      insured,
      insuredObject,
      period,
      payment,
      soldOn,
      ...given({ insuredAmount, additionalInsured, acceptance }),
      ...channelTextsOf(request),
      ...(idempotency?.owner === 'channel' && { externalSaleId: idempotency.key }),
      ...(isByService && { iofClass: offer.product.iofClass }),
      ...(isByService && payment.installments > 1 && { installmentRule: 'total' }),
    });
  };

  const agreeOnQuote = async (
    request: SaleRequest,
    quoteId: string,
    catalogue: CurrentCatalogue,
  ) => {
    const onQuote = await openQuote(request, quoteId, catalogue);
    return agree(onQuote.draft, onQuote.catalogue, onQuote.opened);
  };

  return function agreeTerms(request, catalogue) {
    const { channelLink, seller, quoteId } = request;
    if (channelLink !== seller.channelLink) return NOT_OWN;
    return quoteId === undefined
      ? agree(request, catalogue)
      : agreeOnQuote(request, quoteId, catalogue);
  };
};

const notSellable = (
  reasons: NotSellable['reasons'],
  attributeFaults: NotSellable['attributeFaults'],
): NotSellable => ({ ...refuse('not_sellable'), reasons, attributeFaults });

const NOT_OWN = notSellable([refuse('channel_not_own')], []);

/** A boleto or page must be due by the last day of the price, because the payer cannot pay later. */
const dueWithinPrice = (
  payment: SaleRequest['payment'],
  { product: { iofClass } }: Offer,
  { premium: { iofRate: rate, legalBasis } }: Quote,
  { today: on, iofRates }: { readonly today: CalendarDate; readonly iofRates: readonly IofRate[] },
): SaleRequest['payment'] => {
  if (payment.collectedBy === 'channel' || payment.method === 'credit') return payment;
  const lastDay = lastDayOfRate({ rate, legalBasis, iofClass, on }, iofRates);
  const { firstDueOn } = payment;
  return lastDay !== undefined && firstDueOn !== undefined && lastDay < firstDueOn
    ? { ...payment, firstDueOn: lastDay }
    : payment;
};
