import { nextVersion, type Sale } from '#domain';
import type { Sales, Saving } from '../sales/sales.ts';
import { Unavailable } from '../unavailable.ts';

/** Somebody else is at the sale by now: whoever had its lease before leaves it alone. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** So often somebody else may have been faster. */
const MOST_TRIES = 20;

/**
 * Saves what `change` makes of a sale, as often as somebody else was faster: it is called with the sale as it is then.
 * A change that returns the very sale it was given is none, and nothing is written.
 *
 * @throws Unavailable where others are always faster. @throws LeaseLost
 */
export const changeSale = async (
  sales: Sales,
  sale: Sale,
  change: (present: Sale) => Sale,
  savingOf: (changed: Sale) => Saving = () => ({}),
): Promise<Sale> => {
  let present: Sale | undefined = sale;
  for (let tries = 0; tries < MOST_TRIES && present !== undefined; tries += 1) {
    const changed = change(present);
    if (changed === present) return present;
    const saved = await sales.save(changed, savingOf(changed));
    if (saved === 'saved') return nextVersion(changed);
    if (saved === 'lost') throw new LeaseLost();
    present = await sales.load(sale.id);
  }
  throw new Unavailable('a sale is changed faster than it can be followed');
};
