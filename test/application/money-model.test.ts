import fc from 'fast-check';
import { histories, live } from '../support/money-histories.ts';

describe('the money of a sale, whatever happens to it', () => {
  it('is never returned twice, asked for twice or lost, and all books agree in the end', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        await live(history);
      }),
      { numRuns: Number(process.env['HISTORIES'] ?? 500) },
    );
  });
});
