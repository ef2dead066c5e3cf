import {
  type BornSale,
  createSale,
  examineOffer,
  isRefusal,
  type Json,
  type OfferFindings,
  refuse,
  type SaleTerms,
} from '#domain';
import type { Catalogue, CurrentCatalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { differences } from '../differences.ts';
import type { Identifiers } from '../identifiers.ts';
import { isErasedCard } from '../sales/card-mark.ts';
import type { KeyReused, NotSellable } from '../sales/sale-refusals.ts';
import type { SaleRequest } from '../sales/sale-request.ts';
import type { ContentRules, EarlierSale, Idempotency, Lease, Sales } from '../sales/sales.ts';
import type { AgreeTerms } from '../terms/agree-terms.ts';

/** The key of the request was used before, for the same request. */
export interface Repeated {
  readonly kind: 'repeated';
  readonly earlier: EarlierSale;
}

export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  | Repeated
  | NotSellable
  | KeyReused;

interface Needs {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly agreeTerms: AgreeTerms;
}

/** `lease`: held from registration on, if more steps follow. */
export type RegisterSale = (request: SaleRequest, lease?: Lease) => Promise<RegistrationOutcome>;

/**
 * Registers a sale once: prices it, freezes its terms and stores it. A repeated key returns the
 * first sale.
 */
export const makeRegisterSale = ({
  catalogue,
  sales,
  agreeTerms,
  clock,
  identifiers,
}: Needs): RegisterSale =>
  async function registerSale(request, lease) {
    const { idempotency } = request;
    const current = await catalogue.current();
    const terms = await agreeTerms(request, current);
    if (isRefusal(terms)) return (await findRepeated(sales, request, current)) ?? terms;

    const registration = await sales.register(
      createSale(identifiers.next(), clock.now(), terms),
      idempotency,
      lease,
    );
    if (registration.kind === 'registered') return registration;
    return compareWith(
      registration.earlier,
      idempotency as Idempotency,
      wantedIn(request, current),
    );
  };

/** A used key keeps its answer, even if today's catalogue would refuse the sale. */
export const findRepeated = async (
  sales: Sales,
  request: SaleRequest,
  catalogue: CurrentCatalogue,
): Promise<Repeated | KeyReused | undefined> => {
  const { seller, idempotency } = request;
  const earlier =
    idempotency &&
    (await sales.findEarlier({ ...seller, channelLink: seller.channelLink ?? '' }, idempotency));
  return earlier && idempotency && compareWith(earlier, idempotency, wantedIn(request, catalogue));
};

/** What a request asks for, as far as the catalogue has it, sellable today or not. */
const wantedIn = (
  { channelLink, product, line, plan, coverages }: SaleRequest,
  { products, channels }: CurrentCatalogue,
): OfferFindings =>
  examineOffer(products, channels.get(channelLink), { product, line, plan, coverages });

const compareWith = (
  earlier: EarlierSale,
  received: Idempotency,
  wanted: OfferFindings,
): Repeated | KeyReused => {
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

/** Whether both requests name the same product, plan or coverages, perhaps in other words. */
const isSamePart = (
  part: ReturnType<ContentRules['partAt']>,
  sold: SaleTerms,
  { product, plan, offer }: OfferFindings,
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

/** Where the differences show the channel's key, which is no part of the content. */
const EXTERNAL_ID = 'externalSaleId';
