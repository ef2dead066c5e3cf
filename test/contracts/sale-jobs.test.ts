import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createSale, type Instant, type Sale } from '#domain';
import { AT, LATER, terms } from '../support/sales.ts';
import { overEveryStore } from '../support/stores.ts';

overEveryStore('the jobs of sales', (store) => {
  const register = async (isLeased: boolean): Promise<Sale> => {
    const payment = { collectedBy: 'service', installments: 1 } as const;
    const sale = createSale(`T-${randomUUID()}`, AT, terms({ payment }));
    const lease = isLeased ? { holder: 'a worker', until: LATER } : undefined;
    const registration = await store().sales.register(sale, undefined, lease);
    if (registration.kind !== 'registered') throw new Error(registration.kind);
    return registration.sale;
  };
  const isInstant = (value: Instant | null | undefined): boolean =>
    typeof value === 'string' && new Date(value).toISOString() === value;

  it('are found by their sale, not tried yet', async () => {
    const { saleJobs } = store();
    const [queued, other] = [await register(true), await register(false)];
    const job = await saleJobs.find(queued.id);
    expect(job).to.include({ tries: 0 });
    expect(isInstant(job?.nextAt)).to.equal(true);
    expect(await saleJobs.find(other.id)).to.equal(undefined);
  });

  it('are made unless there is one', async () => {
    const { saleJobs, due } = store();
    const [queued, other] = [await register(true), await register(false)];
    for (const { id } of [queued, other, other]) await saleJobs.ensure(id);
    expect(await saleJobs.find(other.id)).to.include({ tries: 0 });
    const { sales } = await due();
    for (const { id } of [queued, other])
      expect(sales.filter((each) => each === id)).to.deep.equal([id]);
  });
});
