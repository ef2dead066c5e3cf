import fc from 'fast-check';
import { histories, live } from '../support/money-histories.ts';
import { overEveryStore } from '../support/stores.ts';

overEveryStore('the money of a sale, whatever happens to it', (store) => {
  it('agrees with the books of the gateway in the end, over this store', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        await live(history, () => store().sales);
      }),
      { numRuns: 100, seed: 1, includeErrorInReport: true },
    );
  });
});
