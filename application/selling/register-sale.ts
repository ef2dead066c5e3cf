import { type BornSale, isRefusal, type Json, newSale, refuse, type SaleTerms } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
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
    const terms = await agreeTerms(request, await catalogue.current());
    if (isRefusal(terms)) return (await findRepeated(sales, request)) ?? terms;

    const registration = await sales.register(
      newSale(identifiers.next(), clock.now(), terms),
      idempotency,
      lease,
    );
    if (registration.kind === 'registered') return registration;
    return compareWith(registration.earlier, idempotency as Idempotency, terms);
  };

/** A used key keeps its answer, even if today's catalogue would refuse the sale. */
export const findRepeated = async (
  sales: Sales,
  { seller, idempotency }: SaleRequest,
): Promise<Repeated | KeyReused | undefined> => {
  const earlier =
    idempotency &&
    (await sales.findEarlier({ ...seller, channelLink: seller.channelLink ?? '' }, idempotency));
  return earlier && idempotency && compareWith(earlier, idempotency);
};

/** @param terms on which the received request would be sold; absent: today it would not */
const compareWith = (
  earlier: EarlierSale,
  received: Idempotency,
  terms?: SaleTerms,
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
        !isErasedCard(stored, now) && !isSamePart(rules?.partAt(path), earlier.sale.terms, terms),
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
  wanted: SaleTerms | undefined,
): boolean => {
  if (part === undefined || wanted === undefined) return false;
  if (part === 'coverages') return isSameSet(sold.coverages, wanted.coverages);
  // The id of a plan may stand for its product.
  return sold.product.id === wanted.product.id && sold.plan.id === wanted.plan.id;
};

const isSameSet = (some: SaleTerms['coverages'], others: SaleTerms['coverages']): boolean =>
  some.length === others.length && some.every(({ id }) => others.some((each) => each.id === id));

/** Where the differences show the channel's key, which is no part of the content. */
const EXTERNAL_ID = 'externalSaleId';
