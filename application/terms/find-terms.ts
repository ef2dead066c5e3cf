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
import type { Catalogue, CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { NotSellable } from '../sales/sale-refusals.ts';
import { given, type SaleDraft, type SaleRequest } from '../sales/sale-request.ts';
import type { CheckDraft, CheckedDraft } from './check-draft.ts';
import type { OpenQuote } from './open-quote.ts';

interface Needs {
  readonly clock: Clock;
  readonly checkDraft: CheckDraft;
  readonly openQuote: OpenQuote;
}

/** Finds the terms on which a request can be sold today. At once, unless it has a quote to open. */
export type FindTerms = (
  request: SaleRequest,
  catalogue: CurrentCatalogue,
) => SaleTerms | NotSellable | Promise<SaleTerms | NotSellable>;

export const makeFindTerms = ({ checkDraft, clock, openQuote }: Needs): FindTerms =>
  function findTerms(request, catalogue) {
    const { channelLink, client, quoteId } = request;
    if (channelLink !== client.channelLink) return NOT_OWN;
    const today = clock.today();
    if (quoteId === undefined)
      return freezeTerms(request, checkDraft(request, catalogue), catalogue, today);
    return openQuote(request, quoteId, catalogue).then(({ draft, catalogue: asQuoted, opened }) =>
      freezeTerms(draft, checkDraft(draft, asQuoted, opened), asQuoted, today),
    );
  };

/** Finds what the catalogue and the calendar say against a draft. Writes nothing. */
export type FindFaults = (
  draft: SaleDraft,
) => Promise<Pick<NotSellable, 'reasons' | 'attributeFaults'>>;

export const makeFindFaults = ({
  catalogue,
  checkDraft,
  openQuote,
}: Pick<Needs, 'checkDraft' | 'openQuote'> & { readonly catalogue: Catalogue }): FindFaults =>
  async function findFaults(draft) {
    const current = await catalogue.current();
    if (draft.quoteId === undefined) return checkDraft(draft, current);
    const onQuote = await openQuote(draft, draft.quoteId, current);
    return checkDraft(onQuote.draft, onQuote.catalogue, onQuote.opened);
  };

const notSellable = (
  reasons: NotSellable['reasons'],
  attributeFaults: NotSellable['attributeFaults'],
): NotSellable => ({ ...refuse('not_sellable'), reasons, attributeFaults });

const NOT_OWN = notSellable([refuse('channel_not_own')], []);

/** The terms of a request without faults. */
const freezeTerms = (
  request: SaleRequest,
  { offer, quoted, period, reasons, attributeFaults }: CheckedDraft,
  { iofRates }: CurrentCatalogue,
  today: CalendarDate,
): SaleTerms | NotSellable => {
  if (reasons.length > 0 || attributeFaults.length > 0)
    return notSellable(reasons, attributeFaults);
  if (offer === undefined || quoted === undefined || period === undefined)
    throw new Error('a request without faults has no terms');

  const { channelLink, client, insured, insuredObject, insuredAmount, idempotency } = request;
  const { additionalInsured, acceptance, soldOn = today } = request;
  const payment = dueWithinPrice(request.payment, offer, quoted, { today, iofRates });
  const isByService = payment.collectedBy === 'service';
  return saleTerms(offer, quoted, {
    channelLink,
    clientId: client.clientId,
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
