import {
  businessDay,
  type CalendarDate,
  type CheckedOffer,
  checkOffer,
  type Json,
  refuse,
  type SaleTerms,
} from '#domain';
import type { Catalogue, CatalogueOfDay } from '../catalogue/catalogue.ts';
import { differences } from '../differences.ts';
import { isErasedCard } from '../sales/card-mark.ts';
import type { KeyReused } from '../sales/sale-refusals.ts';
import type { ContentRules, Idempotency, SaleRequest } from '../sales/sale-request.ts';
import type { EarlierSale, Sales } from '../sales/sales.ts';

/** The key of the request was used before, for the same request. */
export interface Repeated {
  readonly kind: 'repeated';
  readonly earlier: EarlierSale;
}

/** The sale that the key of the request was used for; undefined if it was not used. */
export const findRepeated = async (
  { sales, catalogue }: { readonly sales: Sales; readonly catalogue: Catalogue },
  request: SaleRequest,
): Promise<Repeated | KeyReused | undefined> => {
  const { client, idempotency } = request;
  if (idempotency === undefined) return undefined;
  const { clientId, channelLink } = client;
  const owner = { clientId, channelLink: channelLink ?? '' };
  const earlier = await sales.findEarlier(owner, idempotency);
  return earlier && compareWith(catalogue, earlier, request);
};

/** Whether a request whose key was used asks for the same sale again. */
export const compareWith = async (
  catalogue: Catalogue,
  earlier: EarlierSale,
  request: SaleRequest,
): Promise<Repeated | KeyReused> => {
  const received = request.idempotency as Idempotency;
  const wanted = findWanted(request, await catalogue.on(dayOfSale(earlier.sale)));
  const { rules } = received;
  const usual = (content: Json): Json => rules?.usual(content) ?? content;
  const storedName = earlier.sale.terms.externalSaleId ?? null;
  const receivedName = received.owner === 'channel' ? received.key : null;
  // Only the client's key can lead to a sale of another name.
  const isOtherSale = storedName !== receivedName;
  const found = [
    ...(isOtherSale ? [{ path: EXTERNAL_ID, stored: storedName, received: receivedName }] : []),
    ...differences(usual(earlier.content), usual(received.content)).filter(
      ({ path, stored, received: now }) =>
        !isErasedCard(stored, now) && !isSamePart(rules?.partAt(path), earlier.sale.terms, wanted),
    ),
  ];
  if (found.length === 0) return { kind: 'repeated', earlier };

  const owner = isOtherSale ? 'client' : received.owner;
  return { ...refuse('key_reused'), owner, saleId: earlier.sale.id, differences: found };
};

/** The day whose catalogue a sale got. */
const dayOfSale = ({ terms: { payment }, registeredAt }: EarlierSale['sale']): CalendarDate =>
  payment.collectedBy === 'channel' ? payment.paidOn : businessDay(registeredAt);

/** What a request asks for, as far as the catalogue of the sale had it, sellable today or not. */
const findWanted = (
  { channelLink, product, line, plan, coverages }: SaleRequest,
  { products, channels }: CatalogueOfDay,
): CheckedOffer =>
  checkOffer(products, channels.get(channelLink), { product, line, plan, coverages });

/** Whether both requests name the same product, plan or coverages, perhaps in other words. */
const isSamePart = (
  part: ReturnType<ContentRules['partAt']>,
  sold: SaleTerms,
  { product, plan, offer }: CheckedOffer,
): boolean => {
  if (part === undefined) return false;
  if (part === 'coverages') return isSameSet(sold.coverages, offer?.coverages);
  // The id of a plan may stand for its product.
  return sold.product.id === product?.id && sold.plan.id === plan?.id;
};

const isSameSet = (
  some: SaleTerms['coverages'],
  others: SaleTerms['coverages'] | undefined,
): boolean =>
  some.length === others?.length && some.every(({ id }) => others.some((each) => each.id === id));

/** The place at which differences show the channel's key, which is no part of the content. */
const EXTERNAL_ID = 'externalSaleId';
