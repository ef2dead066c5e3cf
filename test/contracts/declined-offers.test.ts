import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { CalendarDate } from '#domain';
import { overEveryStore } from '../support/stores.ts';

const day = (text: string): CalendarDate => text as CalendarDate;

overEveryStore('the counts of declined offers', (store) => {
  const november = { from: day('2026-11-01'), until: day('2026-12-01') };
  const add = (channelLink: string, on: string, product: string, count = 1) =>
    store().declinedOffers.add(channelLink, { day: day(on), product, count });

  it('grow by what is added, also at the same time, and are told', async () => {
    const channel = randomUUID();
    const told = await Promise.all([1, 2, 3, 4].map((n) => add(channel, '2026-11-20', 'A', n)));
    expect(Math.max(...told)).to.equal(10);
    expect(await store().declinedOffers.list(channel, november)).to.deep.equal([
      { day: '2026-11-20', product: 'A', count: 10 },
    ]);
    expect(await add(channel, '2026-11-20', 'A', 2 ** 40)).to.equal(10 + 2 ** 40);
  });

  it('are listed by day and product, of the channel and the days alone', async () => {
    const [channel, other] = [randomUUID(), randomUUID()];
    await add(channel, '2026-11-30', 'a');
    await add(channel, '2026-11-30', 'B');
    await add(channel, '2026-11-01', 'B');
    await add(channel, '2026-10-31', 'B');
    await add(channel, '2026-12-01', 'B');
    await add(other, '2026-11-01', 'B');
    const listed = await store().declinedOffers.list(channel, november);
    expect(listed.map(({ day: on, product }) => `${on} ${product}`)).to.deep.equal([
      '2026-11-01 B',
      '2026-11-30 B',
      '2026-11-30 a',
    ]);
    expect(await store().declinedOffers.list('none', november)).to.deep.equal([]);
  });
});
