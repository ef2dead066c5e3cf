import { moneyNewsOf, nextVersion, type Sale } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import { retryStale } from '../retry-stale.ts';
import type { Sales, Saving } from '../sales/sales.ts';
import { Unavailable } from '../unavailable.ts';

/** Another worker has the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface ChangePorts {
  readonly sales: Sales;
  readonly alerts: Alerts;
}

/**
 * Stores a change of a sale with the news of its money. Alerts are raised before the change is
 * stored: if the process dies in between, they are raised again, and none is lost.
 */
export const saveChange = async (
  { sales, alerts }: ChangePorts,
  before: Sale,
  after: Sale,
  saving: Saving,
): ReturnType<Sales['save']> => {
  const news = moneyNewsOf(before, after);
  for (const each of news)
    if (each.kind !== 'dispute_won' && each.kind !== 'account_asked')
      alerts.raise({ ...each, provider: after.payment.gateway ?? 'none', saleId: after.id });
  return sales.save(after, { ...saving, news });
};

/**
 * Stores what `change` makes of a sale. If another change came first, `change` runs again on the
 * stored sale. A `change` that returns the same object writes nothing.
 *
 * @throws Unavailable if other changes always come first. @throws LeaseLost
 */
export const changeSale = async (
  ports: ChangePorts,
  sale: Sale,
  change: (present: Sale) => Sale,
  savingOf: (changed: Sale) => Saving = () => ({}),
): Promise<Sale> => {
  let present: Sale | undefined = sale;
  return retryStale('a sale', async () => {
    if (present === undefined) throw new Unavailable('a sale is gone');
    const changed = change(present);
    if (changed === present) return present;
    const saved = await saveChange(ports, present, changed, savingOf(changed));
    if (saved === 'saved') return nextVersion(changed);
    if (saved === 'lost') throw new LeaseLost();
    present = await ports.sales.load(sale.id);
    return 'stale';
  });
};
