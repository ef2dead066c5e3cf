import type { Offer } from '../catalogue/offer.ts';
import { type CommissionItem, sumCommission } from '../pricing/commission.ts';
import type { IofRate } from '../pricing/iof.ts';
import { amounts, type Price } from '../pricing/premium.ts';
import { type QuoteRefusal, type Refusal, refuse, refuseAt } from '../refusals/refusal.ts';
import type { CoveragePeriod } from '../rules/period.ts';
import type { CalendarDate, Instant } from '../values/calendar.ts';
import type { Cents, Rate } from '../values/money.ts';
import { checkDeclaredFigures, type DeclaredFigures, type Quote } from './quote.ts';

/** What was priced: the facts that a price depends on. */
export interface QuotedFacts {
  /** Value of the insured object in cents. */
  readonly insuredAmount?: Cents | undefined;
  readonly eventOn?: CalendarDate | undefined;
  readonly declaredPeriod?: CoveragePeriod | undefined;
}

/**
 * Quotes that the service promised to a channel: one figure set for each plan of a product, with
 * the same coverages. They hold whatever becomes of the catalogue. They contain every amount, so
 * that they also outlive a change of the calculation.
 */
export interface HeldQuotes extends QuotedFacts {
  readonly channelLink: string;
  /** `version` absent: a catalogue that counts none. */
  readonly product: { readonly code: string; readonly version?: number };
  /** The last instant at which a sale gets these prices. */
  readonly until: Instant;
  /** The day of the payment, whose IOF rate applies. */
  readonly paidOn: CalendarDate;
  readonly iofRate: Rate;
  readonly legalBasis: string;
  /** The coverages beside each plan, with their prices in cents. */
  readonly coverages: readonly { readonly id: number; readonly price: Cents }[];
  /** There is at least one. */
  readonly plans: readonly HeldFigures[];
}

/** The amounts of a quote, in cents. */
export interface HeldFigures {
  readonly planId: number;
  /** The price of the plan, without coverages. */
  readonly price: Cents;
  readonly net: Cents;
  readonly iof: Cents;
  readonly commissions: readonly CommissionItem[];
}

const amountOf = (price: Price | undefined): Cents => (price as Price).amount;

/** The coverages of a quote. They cost the same beside each plan. */
export const holdCoverages = (
  coverages: Offer['coverages'],
  { prices }: Quote,
): HeldQuotes['coverages'] =>
  coverages.map(({ id }, index) => ({ id, price: amountOf(prices[index + 1]) }));

/** The figures of a plan's quote. */
export const holdFigures = (
  planId: number,
  { prices, premium, commission }: Quote,
): HeldFigures => ({
  planId,
  price: amountOf(prices[0]),
  net: premium.net,
  iof: premium.iof,
  commissions: commission.items,
});

/**
 * The quote of an offer as it was given, with the coverages in the order of the offer. Undefined if the offer's plan or its coverages were not
 * quoted.
 *
 * @param offer from the version of the product that was quoted; commissions come from the quote.
 */
export const findHeldQuote = (held: HeldQuotes, offer: Offer): Quote | undefined => {
  const { product, plan, coverages } = offer;
  const figures = held.plans.find(({ planId }) => planId === plan.id);
  if (figures === undefined || !hasSameCoverages(held, offer)) return undefined;

  const { net, iof, price, commissions } = figures;
  const { iofRate, legalBasis } = held;
  const { pricingBasis, rounding, commissionCap } = product;
  const premium = { ...amounts(net, iof), pricingBasis, iofRate, legalBasis, rounding };
  // In the order of the offer, which the terms of the sale keep.
  const priceOf = (coverage: { readonly id: number }) =>
    held.coverages.find(({ id }) => id === coverage.id)?.price as Cents;
  const amountsInOrder = [price, ...coverages.map(priceOf)];
  return {
    prices: [plan, ...coverages].map(({ code, name, tariff }, index) => ({
      of: index === 0 ? 'plan' : 'coverage',
      code,
      name,
      tariff,
      ...(tariff.kind === 'rate' && { base: held.insuredAmount as Cents }),
      amount: amountsInOrder[index] as Cents,
    })),
    premium,
    commission: sumCommission(commissionCap, net, premium.total, commissions),
  };
};

const hasSameCoverages = (held: HeldQuotes, { coverages }: Offer): boolean =>
  held.coverages.length === coverages.length &&
  coverages.every((each) => held.coverages.some(({ id }) => id === each.id));

/** What a sale says of the things that its quote says, too. */
export interface SaleOnQuote extends QuotedFacts {
  readonly channelLink: string;
  readonly offer: Offer;
  /** Whether the request names a plan. */
  readonly isPlanNamed: boolean;
  readonly declaredPrice?: Cents | undefined;
  readonly declaredFigures?: DeclaredFigures | undefined;
  /** The day of the payment. */
  readonly paidOn: CalendarDate;
  /** The IOF rates in force on that day, and on the day that was quoted. */
  readonly rates: { readonly whenPaid: IofRate; readonly asQuoted: IofRate };
}

/** Refuses quotes after their last instant. */
export const refuseLateQuotes = (
  { until }: HeldQuotes,
  now: Instant,
): Refusal<'quote_expired'> | undefined => (now > until ? refuse('quote_expired') : undefined);

/**
 * Returns why a sale does not get the price of its quote: a tax rate that was replaced since, a
 * payment before the first day of the product as quoted, and each part of the sale that differs.
 * Parts that the sale leaves out do not differ.
 */
export const quoteRefusals = (
  held: HeldQuotes,
  sale: SaleOnQuote,
): readonly Refusal<QuoteRefusal>[] => {
  if (sale.channelLink !== held.channelLink || sale.offer.product.code !== held.product.code)
    return [refuseAt('quote_differs', ['product'])];
  const refusals: Refusal<QuoteRefusal>[] = [];
  const isRateReplaced = sale.rates.asQuoted.rate !== held.iofRate;
  if (isRateReplaced) refusals.push(refuse('quote_expired'));
  const at = [...differingParts(held, sale)];
  const isAhead = (sale.offer.product.from ?? '') > sale.paidOn;
  if (!isRateReplaced && (isAhead || sale.rates.whenPaid.rate !== held.iofRate)) at.push('paidOn');
  if (at.length > 0) refusals.push(refuseAt('quote_differs', at));
  return refusals;
};

/** The names of the parts that differ from the quote. */
function* differingParts(held: HeldQuotes, sale: SaleOnQuote): Iterable<string> {
  const { offer, declaredPrice, declaredFigures = {} } = sale;
  const isPlanQuoted = held.plans.some(({ planId }) => planId === offer.plan.id);
  if (!isPlanQuoted || !(sale.isPlanNamed || held.plans.length === 1)) yield 'plan';
  if (!hasSameCoverages(held, offer)) yield 'coverages';
  if (differs(sale.insuredAmount, held.insuredAmount)) yield 'insuredAmount';
  if (differs(sale.eventOn, held.eventOn)) yield 'eventOn';
  for (const part of ['start', 'end'] as const)
    if (differs(sale.declaredPeriod?.[part], held.declaredPeriod?.[part])) yield part;

  const quote = findHeldQuote(held, offer);
  if (quote === undefined) return;
  // A channel may declare the premium with or without its coverages.
  if (declaredPrice !== quote.premium.net && differs(declaredPrice, quote.prices[0]?.amount))
    yield 'declaredPrice';
  for (const { kind } of checkDeclaredFigures(declaredFigures, quote.premium))
    yield PART_OF_FIGURE[kind];
}

const PART_OF_FIGURE = {
  net_premium_differs: 'net',
  iof_differs: 'iof',
  total_differs: 'total',
} as const;

/** A fact that was not quoted has no part in the price. */
const differs = <Value>(sent: Value | undefined, quoted: Value | undefined): boolean =>
  sent !== undefined && quoted !== undefined && sent !== quoted;
