import { asRegistered, isRefusal, refuse, type Sale } from '#domain';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import { type AdvanceSale, leaseFor } from '../saga/advance-sale.ts';
import type { FromRequest } from '../saga/work.ts';
import type { KeyReused, NotSellable, StillRunning } from '../sales/sale-refusals.ts';
import type { SaleRequest } from '../sales/sale-request.ts';
import type { Sales } from '../sales/sales.ts';
import type { RegisterSale, RegistrationOutcome } from './register-sale.ts';

/** `sale`: as it was first answered. `replayed`: by an earlier request with the same key. */
interface Sold {
  readonly kind: 'sold';
  readonly sale: Sale;
  readonly replayed: boolean;
}

export type SellOutcome = Sold | NotSellable | KeyReused | StillRunning;

interface Needs {
  readonly sales: Sales;
  readonly clock: Clock;
  readonly identifiers: Identifiers;
  readonly registerSale: RegisterSale;
  readonly advanceSale: AdvanceSale;
}

export type Sell = (request: SaleRequest, from?: FromRequest) => Promise<SellOutcome>;

/**
 * Registers a sale and advances it as far as it goes at once. A stored sale is never refused
 * because a provider is down: its status shows the progress. A repeated key returns the first
 * answer or, if there was none, continues the sale.
 */
export const makeSell = ({ registerSale, advanceSale, sales, clock, identifiers }: Needs): Sell => {
  const finish = async (
    sale: Sale,
    holder: string,
    { from = {}, replayed }: { readonly from: FromRequest | undefined; readonly replayed: boolean },
  ): Promise<Sold | 'running'> => {
    const advanced = await advanceSale.held(sale, holder, { from, isWaitedFor: true });
    const answered = await sales.answer(advanced.sale, holder);
    return answered === 'lost' ? 'running' : { kind: 'sold', sale: answered, replayed };
  };
  return async function sell(request, from) {
    if (request.payment.collectedBy === 'channel')
      return answerAsRegistered(await registerSale(request));
    const lease = leaseFor(identifiers.next(), clock.now());
    const outcome = await registerSale(request, lease);
    if (isRefusal(outcome)) return outcome;
    if (outcome.kind === 'registered') {
      const sold = await finish(outcome.sale, lease.holder, { from, replayed: false });
      return sold === 'running' ? stillRunning(outcome.sale, request) : sold;
    }

    const { sale, answered } = outcome.earlier;
    if (answered !== undefined) return { kind: 'sold', sale: answered, replayed: true };
    const claimed = await sales.claim(sale.id, lease, clock.now());
    if (claimed === 'busy' || claimed === undefined) return stillRunning(sale, request);
    const sold = await finish(claimed, lease.holder, { from, replayed: true });
    return sold === 'running' ? stillRunning(sale, request) : sold;
  };
};

const stillRunning = ({ id: saleId }: Sale, { idempotency }: SaleRequest): StillRunning => ({
  ...refuse('still_running'),
  owner: idempotency?.owner ?? 'client',
  saleId,
});

/** A sale paid to the channel needs no more steps: answer it as registered. */
const answerAsRegistered = (outcome: RegistrationOutcome): SellOutcome => {
  if (isRefusal(outcome)) return outcome;
  return outcome.kind === 'registered'
    ? { kind: 'sold', sale: outcome.sale, replayed: false }
    : { kind: 'sold', sale: asRegistered(outcome.earlier.sale), replayed: true };
};
