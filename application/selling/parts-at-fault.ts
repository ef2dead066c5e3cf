import type { Offer } from '#domain';
import { eventOnIn, type SaleDraft, type SaleRefusal } from '../sales/sale-request.ts';

type Sold = Pick<Offer, 'plan' | 'product'>;

/** What a request says of its price and its event. */
type PriceAndEvent = Pick<
  SaleDraft,
  'declaredPrice' | 'eventOn' | 'isHeldToSchema' | 'insuredObject'
>;

/** Refusals by the price, which may come from several fields of a request. */
const OF_PRICE: readonly SaleRefusal['kind'][] = [
  'premium_not_declared',
  'premium_not_positive',
  'amount_too_large',
];

/** Refusals by the end of the period, which may come from several fields of a request. */
const OF_PERIOD_END: readonly SaleRefusal['kind'][] = ['period_over', 'period_reversed'];

/** Adds to a refusal the part of the request that it comes from. */
export const nameParts = (
  refusal: SaleRefusal,
  request: PriceAndEvent,
  offer: Sold,
): SaleRefusal => {
  const { kind } = refusal;
  if (OF_PRICE.includes(kind)) return { ...refusal, at: [priceSource(request, offer)] };
  if (OF_PERIOD_END.includes(kind)) return { ...refusal, at: [periodEndSource(request, offer)] };
  // Only the day of a payment to the channel can be so early that it has no rate.
  return kind === 'iof_rate_missing' ? { ...refusal, at: ['paidOn'] } : refusal;
};

const priceSource = ({ declaredPrice }: PriceAndEvent, { plan, product }: Sold): string => {
  if (declaredPrice !== undefined) return 'declaredPrice';
  if (plan.tariff.kind !== 'declared') return 'insuredAmount';
  return product.pricingBasis === 'net' ? 'net' : 'total';
};

const periodEndSource = (request: PriceAndEvent, { plan }: Sold): string => {
  if (plan.period.kind === 'months') return 'soldOn';
  const isEvent = (request.eventOn ?? eventOnIn(request)) !== undefined;
  return plan.period.kind === 'payment_to_event' && isEvent ? 'eventOn' : 'end';
};
