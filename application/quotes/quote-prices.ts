import {
  type CalendarDate,
  type CoveragePeriod,
  checkDeclaredFigures,
  coveragePeriod,
  type DeclaredFigures,
  findOffer,
  holdFigures,
  type InstallmentChoice,
  type Instant,
  installmentChoices,
  instantOf,
  isRefusal,
  type JsonObject,
  lastDayOfRate,
  type Offer,
  type Plan,
  type PriceBasis,
  type Quote,
  type QuotedFacts,
  quote,
  type Reference,
  refuse,
} from '#domain';
import type { CurrentCatalogue } from '../catalogue/catalogue.ts';
import { endOfDay } from '../clock.ts';
import type { Ports } from '../ports.ts';
import type { NotSellable } from '../refusals.ts';
import { nameParts } from '../sales/parts-at-fault.ts';
import { priceIn } from '../sales/price-sale.ts';
import { eventOnIn, type SaleRefusal } from '../sales/sale-request.ts';
import { namesPlan } from './open-quote.ts';
import { QUOTES_HOLD_MS } from './quote-seal.ts';

/** What a channel wants to show a price for. It says nothing of a customer. */
export interface QuoteRequest extends Omit<QuotedFacts, 'eventOn'> {
  readonly channelLink: string;
  readonly product: Reference;
  /** Absent: every plan of the product. */
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  readonly declaredFigures?: DeclaredFigures | undefined;
  /** The day on which the insured will pay, whose IOF rate applies. Absent: today. */
  readonly paidOn?: CalendarDate | undefined;
  /** As many of the product's attributes as are known. */
  readonly insuredObject: JsonObject;
}

/** A plan, and what it costs. */
export interface PricedOffer {
  readonly offer: Offer;
  readonly quote: Quote;
  /** Absent if the request lacks a date that the plan needs. */
  readonly period?: CoveragePeriod;
  /** In how many installments the service collects the premium; one if the channel collects it. */
  readonly installments: readonly InstallmentChoice[];
}

/** A plan that cannot be sold, and why. */
export interface PlanNotOffered {
  readonly plan: Plan;
  readonly reasons: readonly SaleRefusal[];
}

interface QuotedPrices {
  readonly kind: 'quoted';
  readonly quoteId: string;
  readonly until: Instant;
  /** At least one. */
  readonly offers: readonly PricedOffer[];
  readonly notOffered: readonly PlanNotOffered[];
}

type Needs = Pick<Ports, 'catalogue' | 'attributeSchemas' | 'clock' | 'quoteSeal'>;

/** Prices each plan, and promises the prices to the channel for a time. Stores nothing. */
export type QuotePrices = (request: QuoteRequest) => Promise<QuotedPrices | NotSellable>;

export const makeQuotePrices = ({
  catalogue,
  attributeSchemas,
  clock,
  quoteSeal,
}: Needs): QuotePrices => {
  /** A missing attribute is no fault: a price may need none of them. */
  const findAttributeFaults = ({ insuredObject }: QuoteRequest, { product }: Offer) =>
    attributeSchemas
      .faultsOf(insuredObject, product.attributes)
      .filter(({ keyword }) => keyword !== 'required');

  /** Until when the prices hold: not past the last day of their tax rate. */
  const holdsUntil = (
    { offer, quote: { premium } }: PricedOffer,
    on: CalendarDate,
    { iofRates }: CurrentCatalogue,
  ): Instant => {
    const { iofRate: rate, legalBasis } = premium;
    const { iofClass } = offer.product;
    const lastDay = lastDayOfRate({ rate, legalBasis, iofClass, on }, iofRates);
    const dayLater = new Date(Date.parse(clock.now()) + QUOTES_HOLD_MS);
    dayLater.setUTCMilliseconds(0);
    const until = instantOf(dayLater);
    if (lastDay === undefined) return until;
    const end = endOfDay(clock, lastDay);
    return end < until ? end : until;
  };

  return async function quotePrices(request) {
    const current = await catalogue.current();
    const { paidOn: on = clock.today() } = request;
    const found = findOffers(request, current);
    if (isRefusal(found)) return found;

    const [first] = found as readonly [Offer];
    const attributeFaults = findAttributeFaults(request, first);
    const sent = { ...request, isHeldToSchema: true } as const;
    const context = { on, eventOn: eventOnIn(sent), iofRates: current.iofRates };
    const priced = found.map((offer) => priceOffer(offer, request, context));
    const offers = priced.filter((each) => 'quote' in each);
    const notOffered = priced.filter((each) => 'reasons' in each);
    const [best] = offers;
    if (best === undefined || attributeFaults.length > 0) {
      const reasons = best === undefined ? notOffered.flatMap((each) => each.reasons) : [];
      return { ...refuse('not_sellable'), reasons, attributeFaults };
    }

    const until = holdsUntil(best, on, current);
    const { product, coverages } = first;
    const { channelLink, insuredAmount, declaredPeriod } = request;
    const { iofRate, legalBasis } = best.quote.premium;
    const quoteId = await quoteSeal.seal({
      ...{ channelLink, until, paidOn: on, iofRate, legalBasis },
      ...{ insuredAmount, declaredPeriod, eventOn: context.eventOn },
      product: {
        code: product.code,
        ...(product.version !== undefined && { version: product.version }),
      },
      coverages: coverages.map(({ id }) => id),
      plans: offers.map(({ offer: { plan }, quote: each }) => holdFigures(plan.id, each)),
    });
    return { kind: 'quoted', quoteId, until, offers, notOffered };
  };
};

/** The offers of the plan that the request names, or else of each plan. */
const findOffers = (
  request: QuoteRequest,
  { products, channels }: CurrentCatalogue,
): readonly Offer[] | NotSellable => {
  const channel = channels.get(request.channelLink);
  const named = findOffer(products, channel, request);
  if (isRefusal(named)) return { ...refuse('not_sellable'), reasons: [named], attributeFaults: [] };

  const { product } = named;
  if (request.plan !== undefined || namesPlan(request.product, product)) return [named];
  return product.plans.map(
    (plan) => findOffer(products, channel, { ...request, plan: { id: plan.id } }) as Offer,
  );
};

interface OfferContext extends Pick<PriceBasis, 'on' | 'iofRates'> {
  readonly eventOn: CalendarDate | undefined;
}

const priceOffer = (
  offer: Offer,
  request: QuoteRequest,
  { on, iofRates, eventOn }: OfferContext,
): PricedOffer | PlanNotOffered => {
  const { insuredAmount, declaredPeriod, declaredFigures = {} } = request;
  const { plan, product } = offer;
  const declaredPrice = priceIn(request, offer);
  const quoted = quote(offer, { on, iofRates, insuredAmount, declaredPrice });
  const figures = isRefusal(quoted)
    ? [quoted]
    : checkDeclaredFigures(declaredFigures, quoted.premium);
  const period = coveragePeriod(plan.period, {
    soldOn: on,
    paidOn: on,
    ...(eventOn && { eventOn }),
    ...(declaredPeriod && { declared: declaredPeriod }),
  });
  const isPeriodOpen = isRefusal(period) && period.kind === 'period_not_declared';
  const isPeriodOver = !isRefusal(period) && period.end < on;
  const reasons: SaleRefusal[] = [
    ...figures,
    ...(isRefusal(period) && !isPeriodOpen ? [period] : []),
    ...(isPeriodOver ? [refuse('period_over')] : []),
  ];
  if (reasons.length > 0 || isRefusal(quoted))
    return {
      plan,
      reasons: reasons.map((each) => nameParts(each, { ...request, eventOn }, offer)),
    };

  const offered = product.collectedBy === 'channel' ? 1 : plan.maxInstallments;
  return {
    offer,
    quote: quoted,
    ...(!isRefusal(period) && { period }),
    installments: installmentChoices(quoted.premium, offered),
  };
};
