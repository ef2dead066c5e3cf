import { asRegistered, type Sale } from '#domain';
import type { Ports } from '../ports.ts';
import { type AdvanceSale, leaseFor } from '../saga/advance-sale.ts';
import type { FromRequest } from '../saga/work.ts';
import type { RegisterSale, RegistrationOutcome } from './register-sale.ts';
import type { SaleRequest } from './sale-request.ts';

export type SellOutcome =
  /** The sale as it was when the request was answered first. */
  | { readonly kind: 'sold'; readonly sale: Sale; readonly replayed: boolean }
  /** The same request is still being worked on. */
  | { readonly kind: 'running'; readonly saleId: number }
  | Extract<RegistrationOutcome, { readonly kind: 'refused' | 'conflict' }>;

type Needs = Pick<Ports, 'sales' | 'clock' | 'identifiers'> & {
  readonly registerSale: RegisterSale;
  readonly advanceSale: AdvanceSale;
};

export type Sell = (request: SaleRequest, from?: FromRequest) => Promise<SellOutcome>;

/**
 * Registers a sale and takes it as far as it will go at once. Once it is stored it is never refused for a provider that
 * cannot be reached: it is on its way, and its status tells. A repeated key gets the first answer or, where that was
 * never given, takes the sale up where it was left.
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

/** A sale that was paid as it was born needs nothing more, and is answered as it was registered. */
const paidElsewhere = (outcome: RegistrationOutcome): SellOutcome => {
  if (outcome.kind === 'registered') return { kind: 'sold', sale: outcome.sale, replayed: false };
  if (outcome.kind === 'repeated')
    return { kind: 'sold', sale: asRegistered(outcome.earlier.sale), replayed: true };
  return outcome;
};
