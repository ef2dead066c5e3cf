import { rebuildSearch, rebuildTotals } from '../composition/operator-use-cases.ts';
import type { AddCommands } from './add-commands.ts';

/** Adds the commands that rebuild what is derived from sales. */
export const rebuildCommands: AddCommands = (program, _actor, print, withStores, tell) => {
  const add = (
    name: string,
    about: string,
    what: string,
    part: typeof rebuildSearch | typeof rebuildTotals,
  ): void => {
    program
      .command(name)
      .description(about)
      .command('rebuild')
      .description(what)
      .action(async () => {
        await withStores(async (service) => {
          let told = 0;
          const entered = await service.get(part)((count) => {
            if (count - told < TOLD_EACH) return;
            told = count;
            tell(`${count} sales entered\n`);
          });
          print({ entered });
        });
      });
  };
  add(
    'search',
    'finding sales by what customers say',
    'forget what the search knows, and enter all sales again, the newest first',
    rebuildSearch,
  );
  add(
    'totals',
    'sums of sales and refunds by day, channel and product',
    'forget the sums, and count all bookings again, those of the newest sales first',
    rebuildTotals,
  );
};

/** Sales between two lines of progress. */
const TOLD_EACH = 10_000;
