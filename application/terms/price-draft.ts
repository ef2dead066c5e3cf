import {
  type CalendarDate,
  checkDeclaredFigures,
  derivePlanPrice,
  findHeldQuote,
  findIofRate,
  type HeldQuotes,
  hasFreeCoverages,
  type IofRate,
  isRefusal,
  type Offer,
  type PriceBasis,
  priceRefusals,
  type Quote,
  quotePrice,
  quoteRefusals,
  type Refusal,
} from '#domain';
import {
  type DraftPart,
  eventOnIn,
  isUnknown,
  paidOnIn,
  type SaleDraft,
  type SaleRefusal,
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
  const whenPaid =
    isUnknown(draft, 'collector', 'paidOn') || isLate
      ? asQuoted
      : findIofRate(iofClass, paidOnOr(today, draft), iofRates);
  if (isRefusal(whenPaid)) return [whenPaid];
  if (isRefusal(asQuoted)) return [asQuoted];
  const refusals = quoteRefusals(held, {
    ...draft,
    offer,
    isPlanNamed: draft.plan !== undefined || namesPlan(draft.product, offer.product),
    eventOn: draft.eventOn ?? eventOnIn(draft),
    rates: { whenPaid, asQuoted },
  });
  // A payment to the service has no day that the request could change.
  return paidOnIn(draft) === undefined ? refusals.map(withoutDay) : refusals;
};

const withoutDay = (refusal: SaleRefusal): SaleRefusal =>
  refusal.at === undefined
    ? refusal
    : { ...refusal, at: refusal.at.map((part) => (part === 'paidOn' ? 'quote' : part)) };
