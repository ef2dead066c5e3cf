import { asRegistered, type Sale } from '#domain';
import type { Ports } from '../ports.ts';
import { type AdvanceSale, leaseFor } from '../saga/advance-sale.ts';
import type { FromRequest } from '../saga/work.ts';
import type { RegisterSale, RegistrationOutcome } from './register-sale.ts';
import type { SaleRequest } from './sale-request.ts';

export type SellOutcome =
  /** The sale as it was first answered. */
  | { readonly kind: 'sold'; readonly sale: Sale; readonly replayed: boolean }
  /** The same request is still in progress. */
  | { readonly kind: 'running'; readonly saleId: number }
  | Extract<RegistrationOutcome, { readonly kind: 'refused' | 'conflict' }>;

type Needs = Pick<Ports, 'sales' | 'clock' | 'identifiers'> & {
  readonly registerSale: RegisterSale;
  readonly advanceSale: AdvanceSale;
};

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
  ): Promise<SellOutcome> => {
    const advanced = await advanceSale.held(sale, holder, from);
    const answered = await sales.answer(advanced.sale, holder);
    return answered === 'lost'
      ? { kind: 'running', saleId: sale.id }
      : { kind: 'sold', sale: answered, replayed };
  };
  return async function sell(request, from) {
    if (request.payment.collectedBy === 'channel')
      return paidElsewhere(await registerSale(request));
    const lease = leaseFor(identifiers.next(), clock.now());
    const outcome = await registerSale(request, lease);
    if (outcome.kind === 'registered')
      return finish(outcome.sale, lease.holder, { from, replayed: false });
    if (outcome.kind !== 'repeated') return outcome;
    const { sale, answered } = outcome.earlier;
    if (answered !== undefined) return { kind: 'sold', sale: answered, replayed: true };
    const claimed = await sales.claim(sale.id, lease, clock.now());
    if (claimed === 'busy' || claimed === undefined) return { kind: 'running', saleId: sale.id };
    return finish(claimed, lease.holder, { from, replayed: true });
  };
};

/** A sale paid to the channel needs no more steps: answer it as registered. */
const paidElsewhere = (outcome: RegistrationOutcome): SellOutcome => {
  if (outcome.kind === 'registered') return { kind: 'sold', sale: outcome.sale, replayed: false };
  if (outcome.kind === 'repeated')
    return { kind: 'sold', sale: asRegistered(outcome.earlier.sale), replayed: true };
  return outcome;
};
