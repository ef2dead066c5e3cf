import { asRegistered, createSale, isRefusal, refuse, type Sale, type SaleTerms } from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { Gateways } from '../payments/gateways.ts';
import { type AdvanceSale, leaseFor } from '../saga/advance-sale.ts';
import type { FromRequest } from '../saga/work.ts';
import type { KeyReused, NotSellable, StillRunning } from '../sales/sale-refusals.ts';
import type { SaleRequest } from '../sales/sale-request.ts';
import type { EarlierSale, Lease, Registration, Sales } from '../sales/sales.ts';
import type { FindTerms } from './find-terms.ts';
import { compareWith, findRepeated, type Repeated } from './repeated-request.ts';

/** `sale`: as it was first answered. `replayed`: by an earlier request with the same key. */
interface Sold {
  readonly kind: 'sold';
  readonly sale: Sale;
  readonly replayed: boolean;
}

export type SellOutcome = Sold | NotSellable | KeyReused | StillRunning;

interface Needs {
  readonly catalogue: Catalogue;
  readonly sales: Sales;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly findTerms: FindTerms;
  readonly gateways: Pick<Gateways, 'ofChannel'>;
  readonly advanceSale: AdvanceSale;
}

export type Sell = (request: SaleRequest, from?: FromRequest) => Promise<SellOutcome>;

/**
 * Sells once: finds the terms, freezes them in a sale, stores it, and takes its next steps as far
 * as they go at once. A stored sale is never refused because a provider is down: its status shows
 * the progress. A repeated key returns the first answer or, if there was none, continues the sale.
 */
export const makeSell = ({
  catalogue,
  sales,
  clock,
  identifiers,
  findTerms,
  gateways,
  advanceSale,
}: Needs): Sell => {
  /** Stores the sale as it is agreed. @param lease held from now on, if more steps follow. */
  const register = async (
    request: SaleRequest,
    lease?: Lease,
  ): Promise<RegisteredSale | Repeated | NotSellable | KeyReused> => {
    const at = clock.now();
    const terms = await findTerms(request, at);
    // A used key keeps its answer, even if today's catalogue would refuse the sale.
    if (isRefusal(terms)) return (await findRepeated({ sales, catalogue }, request)) ?? terms;

    const sale = createSale(identifiers.next(), at, terms, await gatewayOf(terms));
    const registration = await sales.register(sale, request.idempotency, lease);
    return registration.kind === 'registered'
      ? registration
      : compareWith(catalogue, registration.earlier, request);
  };

  /** The gateway that will charge; undefined where the channel was paid. */
  const gatewayOf = async ({ channelLink, payment }: SaleTerms): Promise<string | undefined> => {
    if (payment.collectedBy === 'channel') return undefined;
    const { channels } = await catalogue.current();
    return gateways.ofChannel(channels.get(channelLink)).name;
  };

  /** Takes the next steps of a sale whose lease this request holds, and answers. */
  const finish = async (
    sale: Sale,
    { holder }: Lease,
    request: SaleRequest,
    { from = {}, replayed }: { readonly from: FromRequest | undefined; readonly replayed: boolean },
  ): Promise<SellOutcome> => {
    const advanced = await advanceSale.held(sale, holder, { from, isWaitedFor: true });
    const answered = await sales.answer(advanced.sale, holder);
    return answered === 'lost'
      ? stillRunning(sale, request)
      : { kind: 'sold', sale: answered, replayed };
  };

  /** Answers as the first request was answered, or goes on with what that one left. */
  const repeat = async (
    { sale, answered }: EarlierSale,
    lease: Lease,
    request: SaleRequest,
    from: FromRequest | undefined,
  ): Promise<SellOutcome> => {
    if (answered !== undefined) return { kind: 'sold', sale: answered, replayed: true };
    const claimed = await sales.claim(sale.id, lease, clock.now());
    return claimed === 'busy' || claimed === undefined
      ? stillRunning(sale, request)
      : finish(claimed, lease, request, { from, replayed: true });
  };

  return async function sell(request, from) {
    const isPaid = request.payment.collectedBy === 'channel';
    const lease = isPaid ? undefined : leaseFor(identifiers.next(), clock.now());
    const outcome = await register(request, lease);
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === 'registered') {
      const { sale } = outcome;
      // A sale paid to the channel needs no more steps.
      if (lease === undefined) return { kind: 'sold', sale, replayed: false };
      return finish(sale, lease, request, { from, replayed: false });
    }
    const { earlier } = outcome;
    return lease === undefined
      ? { kind: 'sold', sale: asRegistered(earlier.sale), replayed: true }
      : repeat(earlier, lease, request, from);
  };
};

type RegisteredSale = Extract<Registration, { readonly kind: 'registered' }>;

const stillRunning = ({ id: saleId }: Sale, { idempotency }: SaleRequest): StillRunning => ({
  ...refuse('still_running'),
  owner: idempotency?.owner ?? 'client',
  saleId,
});

/** What selling now would give, with all figures. Writes nothing. */
export type ValidateSale = (
  request: SaleRequest,
) => Promise<
  { readonly kind: 'valid'; readonly terms: SaleTerms } | Repeated | NotSellable | KeyReused
>;

export const makeValidateSale = ({
  catalogue,
  sales,
  clock,
  findTerms,
}: Pick<Needs, 'catalogue' | 'sales' | 'clock' | 'findTerms'>): ValidateSale =>
  async function validateSale(request) {
    const repeated = await findRepeated({ sales, catalogue }, request);
    if (repeated !== undefined) return repeated;
    const terms = await findTerms(request, clock.now());
    return isRefusal(terms) ? terms : { kind: 'valid', terms };
  };
