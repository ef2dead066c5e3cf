import { rebuildSearch } from '../composition/operator-use-cases.ts';
import type { AddCommands } from './add-commands.ts';

/** Adds the command that fills the search anew. */
export const searchCommands: AddCommands = (program, _actor, print, withStores, tell) => {
  program
    .command('search')
    .description('finding sales by what customers say')
    .command('rebuild')
    .description('forget what the search knows, and enter all sales again, the newest first')
    .action(async () => {
      await withStores(async (service) => {
        let told = 0;
        const entered = await service.get(rebuildSearch)((count) => {
          if (count - told < TOLD_EACH) return;
          told = count;
          tell(`${count} sales entered\n`);
        });
        print({ entered });
      });
    });
};

/** Sales between two lines of progress. */
const TOLD_EACH = 10_000;
