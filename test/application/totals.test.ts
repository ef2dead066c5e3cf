import { expect } from 'chai';
import type { Sale } from '#domain';
import { makeRebuildTotals } from '../../application/totals/count-bookings.ts';
import { offersOf } from '../../application/totals/counted-offers.ts';
import type { MemoryService } from '../../bootstrap/composition/memory.ts';
import { cardOf, letTimePass, phoneSale, soldIn, ticketSale, world } from '../support/selling.ts';

describe('totals', () => {
  let here: MemoryService;
  beforeEach(async () => {
    here = await world();
  });
  const today = () => here.clock.today();
  const read = () => here.bookingTotals.read({ from: today(), to: today(), by: 'channel' });
  const lines = async () => (await read()).sums.map(({ key, lines: count }) => [key, count]);

  it('follow what is sold, and say up to when', async () => {
    expect(await read()).to.deep.equal({ asOf: null, since: null, sums: [], offers: [] });
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

  it('count what payers are asked to pay until a charge is refused, and no card', async () => {
    for (const request of [phoneSale(), phoneSale('boleto'), ticketSale()])
      soldIn(await here.useCases.sell(request));
    soldIn(await here.useCases.sell(phoneSale('credit'), { card: cardOf() }));
    await letTimePass(here);
    await here.useCases.followBookings();
    const offered = async () =>
      (await read()).offers.map(({ key, kind, lines: count }) => [key, kind, count]);
    expect(await offered()).to.deep.equal([['canal-demo', 'offered', 2]]);
    const sale = soldIn(await here.useCases.sell(phoneSale()));
    const declined = { ...sale.payment, status: 'declined' } as const;
    const offersAfter = (reason: 'declined' | 'gateway_refused') =>
      offersOf({ ...sale, payment: { ...declined, reason } } as unknown as Sale);
    expect(offersAfter('gateway_refused')).to.deep.equal([]);
    expect(offersAfter('declined').map(({ kind }) => kind)).to.deep.equal(['offered']);
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
