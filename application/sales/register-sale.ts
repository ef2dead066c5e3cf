import { type BornSale, newSale } from '#domain';
import { type Difference, differences } from '../differences.ts';
import type { Ports } from '../ports.ts';
import type { AgreeTerms } from './agree-terms.ts';
import type { Disagreement, SaleRequest } from './sale-request.ts';
import type { EarlierSale, Idempotency, Lease, Sales } from './sales.ts';

/** What a request comes to that was made before, or that cannot be fulfilled. */
export type NoNewSale =
  /** The name had been used for the very same request. */
  | { readonly kind: 'repeated'; readonly earlier: EarlierSale }
  | ({ readonly kind: 'refused' } & Disagreement)
  /** The name had been used for a request that said something else. */
  | {
      readonly kind: 'conflict';
      readonly saleId: number;
      readonly differences: readonly Difference[];
    };

export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  | NoNewSale;

type Needs = Pick<Ports, 'sales' | 'clock' | 'identifiers'> & { readonly agreeTerms: AgreeTerms };

/** `lease`: whose the sale is from the moment it is stored, where there is more to do with it. */
export type RegisterSale = (request: SaleRequest, lease?: Lease) => Promise<RegistrationOutcome>;

/** Registers a sale once: prices it, freezes its terms, stores it; a repeated name gets the first sale again. */
export const makeRegisterSale = ({ sales, agreeTerms, clock, identifiers }: Needs): RegisterSale =>
  async function registerSale(request, lease) {
    const { idempotency } = request;
    const terms = await agreeTerms(request);
    if ('reasons' in terms)
      return (await repeatedIn(sales, request)) ?? { kind: 'refused', ...terms };

    const registration = await sales.register(
      newSale(identifiers.next(), clock.now(), terms),
      idempotency,
      lease,
    );
    if (registration.kind === 'registered') return registration;
    return repeated(registration.earlier, idempotency as Idempotency);
  };

/** A name once used keeps its answer, even if today the catalogue would refuse what it sold then. */
export const repeatedIn = async (
  sales: Sales,
  { seller, idempotency }: SaleRequest,
): Promise<NoNewSale | undefined> => {
  const earlier =
    idempotency &&
    (await sales.findEarlier({ ...seller, channelLink: seller.channelLink ?? '' }, idempotency));
  return earlier && idempotency && repeated(earlier, idempotency);
};

const repeated = (earlier: EarlierSale, received: Idempotency): NoNewSale => {
  const found = differences(earlier.content, received.content);
  return found.length === 0
    ? { kind: 'repeated', earlier }
    : { kind: 'conflict', saleId: earlier.sale.id, differences: found };
};
