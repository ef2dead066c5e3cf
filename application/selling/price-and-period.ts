import {
  type CalendarDate,
  type CoveragePeriod,
  checkDeclaredFigures,
  coveragePeriod,
  derivePlanPrice,
  earliestDay,
  findHeldQuote,
  findIofRate,
  type HeldQuotes,
  hasFreeCoverages,
  type IofRate,
  isOfferedCount,
  isRefusal,
  lastDayOfRate,
  type Offer,
  offeredInstallments,
  type Plan,
  type PriceBasis,
  priceRefusals,
  type Quote,
  quotePrice,
  quoteRefusals,
  type Refusal,
  refuse,
  splitIntoInstallments,
} from '#domain';
import {
  type DraftPart,
  eventOnIn,
  given,
  isUnknown,
  paidOnIn,
  type SaleDraft,
  type SaleRefusal,
  type SaleRequest,
} from '../sales/sale-request.ts';
import { namesPlan, type OpenedQuote } from './open-quote.ts';

/** The day of the sale, the taxes, and the quote if the sale names one. */
export interface PricingContext {
  readonly today: CalendarDate;
  readonly iofRates: readonly IofRate[];
  readonly opened: OpenedQuote | Refusal<'quote_unknown'> | undefined;
  /** Whether the quote is over. */
  readonly isLate: boolean;
}

/** A price, and every reason why the draft does not get it. */
export interface Priced {
  readonly quoted?: Quote;
  readonly refusals: readonly SaleRefusal[];
}

/**
 * The price of a draft: that of its quote or, without one, that of the catalogue today. Undefined if
 * a part of it is unknown.
 */
export const priceDraft = (
  draft: SaleDraft,
  offer: Offer,
  context: PricingContext,
): Priced | undefined => {
  const { opened } = context;
  if (opened === undefined || isRefusal(opened)) return priceByCatalogue(draft, offer, context);
  const { held } = opened;
  const quoted = findHeldQuote(held, offer);
  return { ...(quoted && { quoted }), refusals: findQuoteRefusals(held, offer, draft, context) };
};

/** The price of the catalogue, and the declared figures that differ from it. */
const priceByCatalogue = (
  draft: SaleDraft,
  offer: Offer,
  { today, iofRates }: PricingContext,
): Priced | undefined => {
  if (draft.unknown && isUnknown(draft, ...partsOfPrice(draft, offer))) return undefined;

  const basis: PriceBasis = {
    on: paidOnOr(today, draft),
    iofRates,
    insuredAmount: draft.insuredAmount,
    declaredPrice: priceIn(draft, offer),
  };
  const quoted = quotePrice(offer, basis);
  if (isRefusal(quoted)) return { refusals: priceRefusals(offer, basis) };
  return { quoted, refusals: checkDeclaredFigures(draft.declaredFigures ?? {}, quoted.premium) };
};

/** The day whose rate applies: that on which the insured pays, to the channel or to the service. */
const paidOnOr = (today: CalendarDate, draft: SaleDraft): CalendarDate => paidOnIn(draft) ?? today;

/** The parts that the price of the catalogue depends on. */
const partsOfPrice = (
  { declaredPrice }: SaleDraft,
  { plan, coverages, product }: Offer,
): readonly DraftPart[] => {
  const isOwnPrice = declaredPrice === undefined && plan.tariff.kind === 'declared';
  const tariffs = declaredPrice === undefined ? [plan, ...coverages] : coverages;
  return [
    ...(['collector', 'paidOn', 'declaredPrice'] as const),
    ...(hasFreeCoverages(product) ? [] : (['coverages'] as const)),
    ...(isOwnPrice ? ([product.pricingBasis === 'net' ? 'net' : 'total'] as const) : []),
    ...(tariffs.some(({ tariff }) => tariff.kind === 'rate') ? (['insuredAmount'] as const) : []),
  ];
};

/** The price in the request, if the request may set it. */
const priceIn = (
  { declaredPrice: price, declaredFigures = {}, insuredAmount }: SaleDraft,
  offer: Offer,
) =>
  price ??
  (offer.plan.tariff.kind === 'declared'
    ? derivePlanPrice(offer, declaredFigures, insuredAmount)
    : undefined);

const findQuoteRefusals = (
  held: HeldQuotes,
  offer: Offer,
  draft: SaleDraft,
  { today, iofRates, isLate }: PricingContext,
): readonly SaleRefusal[] => {
  const { iofClass } = offer.product;
  const asQuoted = findIofRate(iofClass, held.paidOn, iofRates);
  // A late quote says enough.
  const isDayOpen = isUnknown(draft, 'collector', 'paidOn') || isLate;
  const paidOn = isDayOpen ? held.paidOn : paidOnOr(today, draft);
  const whenPaid = findIofRate(iofClass, paidOn, iofRates);
  if (isRefusal(whenPaid)) return [whenPaid];
  if (isRefusal(asQuoted)) return [asQuoted];
  const refusals = quoteRefusals(held, {
    ...draft,
    offer,
    isPlanNamed: draft.plan !== undefined || namesPlan(draft.product, offer.product),
    eventOn: draft.eventOn ?? eventOnIn(draft),
    paidOn,
    rates: { whenPaid, asQuoted },
  });
  // A payment to the service has no day that the request could change.
  return paidOnIn(draft) === undefined ? refusals.map(withoutDay) : refusals;
};

const withoutDay = (refusal: SaleRefusal): SaleRefusal =>
  refusal.at === undefined
    ? refusal
    : { ...refusal, at: refusal.at.map((part) => (part === 'paidOn' ? 'quote' : part)) };

/** A boleto or page must be due by the last day of the price, because the payer cannot pay later. */
export const dueWithinPrice = (
  payment: SaleRequest['payment'],
  { product: { iofClass }, until }: Offer,
  { premium: { iofRate: rate, legalBasis } }: Quote,
  { today: on, iofRates }: { readonly today: CalendarDate; readonly iofRates: readonly IofRate[] },
): SaleRequest['payment'] => {
  if (payment.collectedBy === 'channel' || payment.method === 'credit') return payment;
  const endOfRate = lastDayOfRate({ rate, legalBasis, iofClass, on }, iofRates);
  const lastDay = earliestDay(endOfRate, until);
  const { firstDueOn } = payment;
  return lastDay !== undefined && firstDueOn !== undefined && lastDay < firstDueOn
    ? { ...payment, firstDueOn: lastDay }
    : payment;
};

/** The period; undefined if a part of it is unknown. */
export const findPeriod = (
  draft: SaleDraft,
  plan: Plan,
  today: CalendarDate,
): CoveragePeriod | SaleRefusal | undefined => {
  const { eventOn = eventOnIn(draft), declaredPeriod: declared, soldOn = today } = draft;
  if (draft.unknown && isUnknown(draft, ...partsOfPeriod(plan, eventOn))) return undefined;

  const paidOn = paidOnIn(draft);
  const days = { soldOn, ...given({ paidOn, eventOn: eventOn ?? declared?.end }) };
  const period = coveragePeriod(plan.period, { ...days, ...given({ declared }) });
  if (!isRefusal(period)) {
    // No contract on a risk that has passed (Lei 15.040/2024).
    const isOver = period.end < (paidOn ?? today) && !isUnknown(draft, 'collector', 'paidOn');
    return isOver ? refuse('period_over') : period;
  }
  if (period.kind !== 'period_differs') return period;
  const right = coveragePeriod(plan.period, days) as CoveragePeriod;
  const at = (['start', 'end'] as const).filter((part) => declared?.[part] !== right[part]);
  return { ...period, period: right, at };
};

const partsOfPeriod = (
  { period }: Plan,
  eventOn: CalendarDate | undefined,
): readonly DraftPart[] => {
  if (period.kind === 'declared') return ['period'];
  if (period.kind === 'months') return ['soldOn'];
  const ofEvent = eventOn === undefined ? (['eventOn', 'period'] as const) : [];
  return ['collector', 'paidOn', 'soldOn', ...ofEvent];
};

/** Why the service cannot collect the premium in so many installments. */
export const findInstallmentRefusal = (
  draft: SaleDraft,
  wanted: Pick<Offer, 'plan' | 'product'>,
  quoted: Quote | undefined,
  today: CalendarDate,
): SaleRefusal | undefined => {
  const { payment, soldOn = today } = draft;
  if (payment.collectedBy !== 'service' || isUnknown(draft, 'collector', 'installments'))
    return undefined;

  const { installments: count = 1, method } = payment;
  // A boleto has one installment.
  const offered = method === 'credit' ? offeredInstallments(wanted) : 1;
  if (!isOfferedCount(count, offered)) return refuse('installments_not_offered');
  const parts =
    quoted &&
    splitIntoInstallments(quoted.premium, { count, firstDueOn: soldOn, offered, paid: 'once' });
  return isRefusal(parts) ? parts : undefined;
};
