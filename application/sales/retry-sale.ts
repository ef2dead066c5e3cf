import { refuse, type Sale } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import type { Ports } from '../ports.ts';
import type { SaleBusy } from '../refusals.ts';
import type { AdvanceSale } from '../saga/advance-sale.ts';

interface RetriedSale {
  readonly sale: Sale;
  /**
   * `settled`: nothing is left to do. `waiting`: a provider still has to do something. `awaiting`: the
   * payer has.
   */
  readonly outcome: 'settled' | 'waiting' | 'awaiting';
}

export type RetrySale = (sale: Sale, actor: Actor) => Promise<RetriedSale | SaleBusy>;

type Needs = Pick<Ports, 'clock' | 'auditLog' | 'saleJobs' | 'noteProviderCalls'> & {
  readonly advanceSale: AdvanceSale;
};

/**
 * Asks the providers of a sale now, whatever the pause of its job is. The audit log has the order
 * before, because money may move: also if the process is killed, or a worker has the sale.
 */
export const makeRetrySale = (parts: Needs): RetrySale =>
  async function retrySale({ id }, actor) {
    const { clock, auditLog, saleJobs, noteProviderCalls, advanceSale } = parts;
    await auditLog.append({
      at: clock.now(),
      action: 'sale.retried',
      actor,
      subject: `transaction/${id}`,
      reason: null,
      changes: [],
    });
    const advanced = await noteProviderCalls.watch(id, () =>
      advanceSale.claimed(id, { isWaitedFor: true }),
    );
    if (advanced === 'busy' || advanced === 'unknown_sale') return refuse('sale_busy');

    const { kind: outcome, sale } = advanced;
    if (outcome !== 'settled') await saleJobs.ensure(id);
    return { outcome, sale };
  };
