import { type BornSale, isRefusal, newSale, refuse } from '#domain';
import { differences } from '../differences.ts';
import type { Ports } from '../ports.ts';
import type { KeyReused, NotSellable } from '../refusals.ts';
import type { AgreeTerms } from './agree-terms.ts';
import { isErasedCard } from './card-mark.ts';
import type { SaleRequest } from './sale-request.ts';
import type { EarlierSale, Idempotency, Lease, Sales } from './sales.ts';

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

type Needs = Pick<Ports, 'catalogue' | 'sales' | 'clock' | 'identifiers'> & {
  readonly agreeTerms: AgreeTerms;
};

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
    return compareWith(registration.earlier, idempotency as Idempotency);
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

const compareWith = (earlier: EarlierSale, received: Idempotency): Repeated | KeyReused => {
  const storedName = earlier.sale.terms.externalSaleId ?? null;
  const receivedName = received.owner === 'channel' ? received.key : null;
  // Only the client's key can lead to a sale of another name.
  const isOtherSale = storedName !== receivedName;
  const found = [
    ...(isOtherSale ? [{ path: EXTERNAL_ID, stored: storedName, received: receivedName }] : []),
    ...differences(earlier.content, received.content).filter(
      (each) => !isErasedCard(each.stored, each.received),
    ),
  ];
  if (found.length === 0) return { kind: 'repeated', earlier };

  const owner = isOtherSale ? 'client' : received.owner;
  return { ...refuse('key_reused'), owner, saleId: earlier.sale.id, differences: found };
};

/** Where the differences show the channel's key, which is no part of the content. */
const EXTERNAL_ID = 'externalSaleId';
