import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type CancelledSale, cents, createSale, type Instant, type Sale } from '#domain';
import { AT, cancelledOn, PAID, paidSale, TOTAL, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

overEveryStore('the refunds that a channel owes', (store) => {
  const ended = cancelledOn(paidSale(), '2026-11-25');
  /** Stores a sale of the channel, and then in another state. */
  const stored = async (channelLink: string, state: Sale, second = 0): Promise<number> => {
    const sold = terms({ channelLink, payment: state.terms.payment });
    const registration = await store().sales.register(createSale(randomUUID(), AT, sold));
    if (registration.kind !== 'registered') throw new Error(registration.kind);
    const { id, ticket, version, registeredAt } = registration.sale;
    const cancelledAt = `2026-11-25T12:00:0${second}.000Z` as Instant;
    const changed = { ...state, id, ticket, version, registeredAt, terms: sold, cancelledAt };
    expect(await store().sales.save(changed as Sale)).to.equal('saved');
    return id;
  };
  const owedBy = async (channelLink: string, limit = 10, after?: CancelledSale) =>
    (await store().sales.owedBy({ channelLink, limit, after })) as readonly CancelledSale[];

  it('are found until all has gone back, and only of what the channel collected', async () => {
    const [channel, other] = [randomUUID(), randomUUID()];
    const [receipt] = ended.receipts;
    const due = await stored(channel, ended);
    const partly = { ...ended, receipts: [{ ...receipt, returned: cents(1) }] } as Sale;
    const part = await stored(channel, partly, 1);
    const gone = { ...ended, status: 'refunded', receipts: [{ ...receipt, returned: TOTAL }] };
    await stored(channel, gone as unknown as Sale, 2);
    await stored(channel, cancelledOn(PAID, '2026-11-25'), 3);
    await stored(other, ended);
    const found = await owedBy(channel);
    expect(found.map(({ id }) => id)).to.deep.equal([due, part]);
    expect(found[0]?.cancellation).to.deep.equal(ended.cancellation);
  });

  it('come page by page, the oldest cancellation first', async () => {
    const channel = randomUUID();
    const last = await stored(channel, ended, 5);
    const [first, second, third] = [
      await stored(channel, ended, 1),
      await stored(channel, ended, 1),
      await stored(channel, ended, 4),
    ];
    const found: number[] = [];
    for (let after: CancelledSale | undefined; ; ) {
      const [sale] = await owedBy(channel, 1, after);
      if (sale === undefined) break;
      found.push(sale.id);
      after = sale;
    }
    expect(found).to.deep.equal([first, second, third, last]);
  });
});
