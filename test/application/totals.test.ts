import { expect } from 'chai';
import { makeRebuildTotals } from '../../application/totals/count-bookings.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { soldIn, ticketSale, world } from '../support/selling.ts';

describe('totals', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });
  const today = () => here.clock.today();
  const read = () => here.bookingTotals.read({ from: today(), to: today(), by: 'channel' });
  const lines = async () => (await read()).sums.map(({ key, lines: count }) => [key, count]);

  it('follow what is sold, and say up to when', async () => {
    expect(await read()).to.deep.equal({ asOf: null, sums: [] });
    for (let count = 0; count < 300; count += 1)
      soldIn(
        await here.useCases.sell(ticketSale({ insuredObject: { ticketNumber: `T-${count}` } })),
      );
    // A sale that is born paid has two events.
    expect(await here.useCases.followBookings()).to.equal('more');
    expect((await read()).asOf).to.equal(null);
    expect(await here.useCases.followBookings()).to.equal('done');
    expect(await lines()).to.deep.equal([['canal-demo', 300]]);
    expect((await read()).asOf).to.equal(here.clock.now());
  });

  it('are counted anew from all sales', async () => {
    for (let count = 0; count < 3; count += 1)
      soldIn(
        await here.useCases.sell(ticketSale({ insuredObject: { ticketNumber: `T-${count}` } })),
      );
    const told: number[] = [];
    const rebuild = makeRebuildTotals(here);
    expect(await rebuild((counted) => told.push(counted))).to.equal(3);
    expect(told).to.deep.equal([3]);
    expect(await lines()).to.deep.equal([['canal-demo', 3]]);
  });
});
