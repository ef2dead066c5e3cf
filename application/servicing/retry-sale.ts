import { orderRefundsAgain, refuse, type Sale } from '#domain';
import type { Actor, AuditLog } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { ProviderCallNotes } from '../providers/provider-calls.ts';
import type { AdvanceSale } from '../saga/advance-sale.ts';
import { type ChangePorts, changeSale } from '../saga/change-sale.ts';
import type { SaleJobs } from '../sales/sale-jobs.ts';
import type { SaleBusy } from '../sales/sale-refusals.ts';

interface RetriedSale {
  readonly sale: Sale;
  /**
   * `settled`: nothing is left to do. `waiting`: a provider still has to do something. `awaiting`: the
   * payer has.
   */
  readonly outcome: 'settled' | 'waiting' | 'awaiting';
}

export type RetrySale = (sale: Sale, actor: Actor) => Promise<RetriedSale | SaleBusy>;

interface Needs extends ChangePorts {
  readonly clock: Clock;
  readonly auditLog: AuditLog;
  readonly saleJobs: SaleJobs;
  readonly providerCallNotes: ProviderCallNotes;
  readonly advanceSale: AdvanceSale;
}

/**
 * Asks the providers of a sale now, whatever the pause of its job is, also for refunds that the
 * gateway has refused. The audit log has the order
 * before, because money may move: also if the process is killed, or a worker has the sale.
 */
export const makeRetrySale = (parts: Needs): RetrySale =>
  async function retrySale(sale, actor) {
    const { id } = sale;
    const { clock, auditLog, saleJobs, providerCallNotes, advanceSale } = parts;
    await auditLog.append({
      at: clock.now(),
      action: 'sale.retried',
      actor,
      subject: `transaction/${id}`,
      reason: null,
      changes: [],
    });
    await changeSale(parts, sale, orderRefundsAgain);
    const advanced = await providerCallNotes.watch(id, () =>
      advanceSale.claimed(id, { isWaitedFor: true }),
    );
    if (advanced === 'busy' || advanced === 'unknown_sale') return refuse('sale_busy');

    const { kind: outcome } = advanced;
    if (outcome !== 'settled') await saleJobs.ensure(id);
    return { outcome, sale: advanced.sale };
  };
