import {
  type CalendarDate,
  type CoveragePeriod,
  coveragePeriod,
  findOffer,
  type InstallmentChoice,
  installmentChoices,
  isRefusal,
  type JsonObject,
  type Offer,
  offeredInstallments,
  type Plan,
  type Quote,
  type Reference,
  refuse,
} from '#domain';
import type { CatalogueOfDay } from '../catalogue/catalogue.ts';
import type { NotSellable } from '../sales/sale-refusals.ts';
import { eventOnIn, given, type SaleDraft, type SaleRefusal } from '../sales/sale-request.ts';
import { namesPlan } from './open-quote.ts';
import { nameParts } from './parts-at-fault.ts';
import { type Priced, type PricingContext, priceDraft } from './price-and-period.ts';

/** What a channel wants to show a price for. It says nothing of a customer. */
export interface QuoteRequest
  extends Pick<SaleDraft, 'insuredAmount' | 'declaredFigures' | 'declaredPeriod'> {
  readonly channelLink: string;
  readonly product: Reference;
  /** The plan. Default: every plan of the product. */
  readonly plan?: Reference | undefined;
  readonly coverages?: readonly Reference[] | undefined;
  /** The day on which the insured will pay, whose IOF rate applies. Absent: today. */
  readonly paidOn?: CalendarDate | undefined;
  /** The product's attributes that are known. */
  readonly insuredObject: JsonObject;
}

/** A plan, and what it costs. */
export interface PricedOffer {
  readonly offer: Offer;
  readonly quote: Quote;
  /** Absent if the request lacks a date that the plan needs. */
  readonly period?: CoveragePeriod;
  /**
   * The numbers of installments in which the service collects the premium; one if the channel
   * collects it.
   */
  readonly installments: readonly InstallmentChoice[];
}

/** A plan that cannot be sold, and why. */
export interface PlanNotOffered {
  readonly plan: Plan;
  readonly reasons: readonly SaleRefusal[];
}

/** The offers of the plan that the request names, or else of each plan. */
export const findOffers = (
  request: QuoteRequest,
  { products, channels }: CatalogueOfDay,
): readonly Offer[] | NotSellable => {
  const channel = channels.get(request.channelLink);
  const named = findOffer(products, channel, request);
  if (isRefusal(named)) return { ...refuse('not_sellable'), reasons: [named], attributeFaults: [] };

  const { product } = named;
  const isOnePlan = request.plan !== undefined || product.plans.length === 1;
  if (isOnePlan || namesPlan(request.product, product)) return [named];
  return product.plans.map(
    (plan) => findOffer(products, channel, { ...request, plan: { id: plan.id } }) as Offer,
  );
};

/** Prices an offer like a sale of it that is paid on the day, or tells why it cannot be sold. */
export const priceOffer = (
  offer: Offer,
  draft: SaleDraft,
  context: PricingContext,
): PricedOffer | PlanNotOffered => {
  const { plan } = offer;
  const { today: on } = context;
  const { quoted, refusals } = priceDraft(draft, offer, context) as Priced;
  const days = given({ eventOn: eventOnIn(draft), declared: draft.declaredPeriod });
  const period = coveragePeriod(plan.period, { soldOn: on, paidOn: on, ...days });
  const isPeriodOpen = isRefusal(period) && period.kind === 'period_not_declared';
  const isPeriodOver = !isRefusal(period) && period.end < on;
  const reasons: readonly SaleRefusal[] = [
    ...(quoted === undefined ? refusals.slice(0, 1) : refusals),
    ...(isRefusal(period) && !isPeriodOpen ? [period] : []),
    ...(isPeriodOver ? [refuse('period_over')] : []),
  ];
  if (reasons.length > 0 || quoted === undefined)
    return { plan, reasons: reasons.map((each) => nameParts(each, draft, offer)) };

  return {
    offer,
    quote: quoted,
    ...(!isRefusal(period) && { period }),
    installments: installmentChoices(quoted.premium, offeredInstallments(offer)),
  };
};
