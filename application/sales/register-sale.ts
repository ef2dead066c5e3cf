import { type BornSale, newSale } from '#domain';
import { type Difference, differences } from '../differences.ts';
import type { Ports } from '../ports.ts';
import type { AgreeTerms } from './agree-terms.ts';
import type { Disagreement, SaleRequest } from './sale-request.ts';
import type { EarlierSale, Idempotency, Lease, Sales } from './sales.ts';

/** Outcome of a request that was made before, or that cannot be sold. */
export type NoNewSale =
  /** The key was used for the same request. */
  | { readonly kind: 'repeated'; readonly earlier: EarlierSale }
  | ({ readonly kind: 'refused' } & Disagreement)
  /** The key was used for a different request. */
  | {
      readonly kind: 'conflict';
      readonly saleId: number;
      readonly differences: readonly Difference[];
    };

export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  | NoNewSale;

type Needs = Pick<Ports, 'sales' | 'clock' | 'identifiers'> & { readonly agreeTerms: AgreeTerms };

/** `lease`: held from registration on, if more steps follow. */
export type RegisterSale = (request: SaleRequest, lease?: Lease) => Promise<RegistrationOutcome>;

/**
 * Registers a sale once: prices it, freezes its terms and stores it. A repeated key returns the
 * first sale.
 */
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

/** A used key keeps its answer, even if today's catalogue would refuse the sale. */
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
