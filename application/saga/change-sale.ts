import { moneyNewsOf, nextVersion, type Sale } from '#domain';
import type { Sales, Saving } from '../sales/sales.ts';
import { Unavailable } from '../unavailable.ts';

/** Another worker has the lease now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Max tries when others change the sale at the same time. */
const MAX_TRIES = 20;

/**
 * Stores what `change` makes of a sale. If another change came first, `change` runs again on the
 * stored sale. A `change` that returns the same object writes nothing.
 *
 * @throws Unavailable if other changes always come first. @throws LeaseLost
 */
export const changeSale = async (
  sales: Sales,
  sale: Sale,
  change: (present: Sale) => Sale,
  savingOf: (changed: Sale) => Saving = () => ({}),
): Promise<Sale> => {
  let present: Sale | undefined = sale;
  for (let tries = 0; tries < MAX_TRIES && present !== undefined; tries += 1) {
    const changed = change(present);
    if (changed === present) return present;
    const news = moneyNewsOf(present, changed);
    const saved = await sales.save(changed, { ...savingOf(changed), news });
    if (saved === 'saved') return nextVersion(changed);
    if (saved === 'lost') throw new LeaseLost();
    present = await sales.load(sale.id);
  }
  throw new Unavailable('a sale is changed faster than it can be followed');
};
