import {
  type CalendarDate,
  type CoveragePeriod,
  coveragePeriod,
  isRefusal,
  lastDayOfRate,
  type Offer,
  type Quote,
  refuse,
  type SaleTerms,
  saleTerms,
  splitIntoInstallments,
} from '#domain';
import type { CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Ports } from '../ports.ts';
import { catalogueAsQuoted, completeByQuote, type OpenQuote } from '../quotes/open-quote.ts';
import type { NotSellable } from '../refusals.ts';
import type { Examination, Examine } from './examine-sale.ts';
import { nameParts } from './parts-at-fault.ts';
import { type PricingContext, priceSale } from './price-sale.ts';
import { eventOnIn, paidOnIn, type SaleRefusal, type SaleRequest } from './sale-request.ts';

type Needs = Pick<Ports, 'clock'> & { readonly examine: Examine; readonly openQuote: OpenQuote };

/** Finds the terms on which a request can be sold today. At once, unless it has a quote to open. */
export type AgreeTerms = (
  request: SaleRequest,
  catalogue: CurrentCatalogue,
) => SaleTerms | NotSellable | Promise<SaleTerms | NotSellable>;

export const makeAgreeTerms = ({ examine, clock, openQuote }: Needs): AgreeTerms => {
  const agree = (
    request: SaleRequest,
    catalogue: CurrentCatalogue,
    opened?: PricingContext['opened'],
  ) => {
    const { iofRates } = catalogue;
    const context = { today: clock.today(), now: clock.now(), iofRates, opened };
    return termsOf(examine(request, catalogue), request, context);
  };

  const agreeOnQuote = async (
    request: SaleRequest,
    quoteId: string,
    catalogue: CurrentCatalogue,
  ) => {
    const opened = await openQuote(quoteId, request.channelLink, catalogue);
    return isRefusal(opened)
      ? agree(request, catalogue, opened)
      : agree(completeByQuote(request, opened), catalogueAsQuoted(catalogue, opened), opened);
  };

  return function agreeTerms(request, catalogue) {
    const { channelLink, seller, quoteId } = request;
    if (channelLink !== seller.channelLink) return NOT_OWN;
    return quoteId === undefined
      ? agree(request, catalogue)
      : agreeOnQuote(request, quoteId, catalogue);
  };
};

const termsOf = (
  examination: Examination,
  request: SaleRequest,
  context: PricingContext,
): SaleTerms | NotSellable => {
  const { offer, reasons, attributeFaults } = examination;
  const { today, opened } = context;
  if (offer === undefined) {
    const ofQuote = opened !== undefined && isRefusal(opened) ? [opened] : [];
    return notSellable([...reasons, ...ofQuote], attributeFaults);
  }

  const { insuredAmount, soldOn = today } = request;
  const { quoted, faults } = priceSale(offer, request, context);
  const payment = isRefusal(quoted)
    ? request.payment
    : dueWithinPrice(request.payment, offer, quoted, context);
  const period = periodIn(request, offer, today);
  const parts = isRefusal(quoted) ? undefined : partsOf(offer, quoted, payment, soldOn);
  const found = [...faults, period, parts]
    .filter((each) => isRefusal(each))
    .map((refusal) => nameParts(refusal, request, offer))
    .filter(({ kind }) => !isSaid(kind, examination));

  const isSellable = [reasons, attributeFaults, found].every(({ length }) => length === 0);
  if (!isSellable || isRefusal(quoted) || isRefusal(period) || isRefusal(parts))
    return notSellable([...reasons, ...found], attributeFaults);

  const { channelLink, seller, insured, insuredObject, idempotency } = request;
  const { additionalInsured, acceptance } = request;
  return saleTerms(offer, quoted, {
    channelLink,
    clientId: seller.clientId,
    insured,
    insuredObject,
    period,
    payment,
    soldOn,
    ...given({ insuredAmount, additionalInsured, acceptance }),
    ...(idempotency?.owner === 'channel' && { externalSaleId: idempotency.key }),
    ...(payment.collectedBy === 'service' && { iofClass: offer.product.iofClass }),
    ...((parts?.length ?? 0) > 1 && { installmentRule: 'total' }),
  });
};

const notSellable = (
  reasons: NotSellable['reasons'],
  attributeFaults: NotSellable['attributeFaults'],
): NotSellable => ({ ...refuse('not_sellable'), reasons, attributeFaults });

const NOT_OWN = notSellable([refuse('channel_not_own')], []);

/**
 * Skip a refusal that follows from another fault: an event before its payment also reverses the
 * period, and an invalid event date leaves no period.
 */
const isSaid = (kind: SaleRefusal['kind'], { reasons, attributeFaults }: Examination): boolean =>
  (kind === 'period_reversed' && reasons.some((each) => each.kind === 'event_before_payment')) ||
  (kind === 'period_not_declared' && attributeFaults.some(({ path }) => path === 'eventDate'));

const periodIn = (
  request: SaleRequest,
  { plan }: Offer,
  today: CalendarDate,
): CoveragePeriod | SaleRefusal => {
  const { eventOn = eventOnIn(request), declaredPeriod: declared, soldOn = today } = request;
  const paidOn = paidOnIn(request);
  const days = { soldOn, ...given({ paidOn, eventOn: eventOn ?? declared?.end }) };
  const period = coveragePeriod(plan.period, { ...days, ...given({ declared }) });
  // No contract on a risk that has passed (Lei 15.040/2024).
  if (!isRefusal(period)) return period.end < (paidOn ?? today) ? refuse('period_over') : period;
  if (period.kind !== 'period_differs') return period;
  const right = coveragePeriod(plan.period, days) as CoveragePeriod;
  const at = (['start', 'end'] as const).filter((part) => declared?.[part] !== right[part]);
  return { ...period, period: right, at };
};

/** A boleto or page must be due by the last day of the price, because the payer cannot pay later. */
const dueWithinPrice = (
  payment: SaleRequest['payment'],
  { product: { iofClass } }: Offer,
  { premium: { iofRate: rate, legalBasis } }: Quote,
  { today: on, iofRates }: Pick<PricingContext, 'today' | 'iofRates'>,
): SaleRequest['payment'] => {
  if (payment.collectedBy === 'channel' || payment.method === 'credit') return payment;
  const lastDay = lastDayOfRate({ rate, legalBasis, iofClass, on }, iofRates);
  const { firstDueOn } = payment;
  return lastDay !== undefined && firstDueOn !== undefined && lastDay < firstDueOn
    ? { ...payment, firstDueOn: lastDay }
    : payment;
};

/** The installments of a sale that the service collects. */
const partsOf = (
  { plan }: Offer,
  { premium }: Quote,
  payment: SaleRequest['payment'],
  soldOn: CalendarDate,
) => {
  if (payment.collectedBy === 'channel') return undefined;
  const { installments: count, firstDueOn = soldOn, method } = payment;
  // A boleto has one installment.
  return splitIntoInstallments(premium, {
    count,
    firstDueOn,
    offered: method === 'credit' ? plan.maxInstallments : 1,
  });
};

/** The fields that are not undefined. */
const given = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } => {
  const found: Partial<Fields> = {};
  for (const name in fields) if (fields[name] !== undefined) found[name] = fields[name];
  return found as never;
};
