import { expect } from 'chai';
import type { Instant, Sale } from '#domain';
import { makeListSales } from '../../application/sales/list-sales.ts';
import type { SaleQuery, Sales } from '../../application/sales/sales.ts';
import { paidSale } from '../support/sales.ts';

const MINUTE_MS = 60_000;

/** Numbers of sales need not begin at 1. */
const FIRST_OF_GROUP = 1e11;

/** A sale is registered each minute. */
const timeOf = (id: number): Instant =>
  new Date(Date.UTC(2026, 0, 1) + (id % FIRST_OF_GROUP) * MINUTE_MS).toISOString() as Instant;

/** A store with these numbers, and what it was asked for. */
const storeOf = (ids: readonly number[]) => {
  const asked: SaleQuery[] = [];
  const all = ids.map((id) => ({ ...paidSale(), id, registeredAt: timeOf(id) }) as Sale);
  const sales = {
    async list(query: SaleQuery) {
      asked.push(query);
      const { before = Infinity, after = 0, order, from = '', to = '9', limit } = query;
      const found = all.filter(
        ({ id, registeredAt: at }) => id < before && id > after && at >= from && at < to,
      );
      return (order === 'oldest' ? found : found.reverse()).slice(0, limit);
    },
    numberAfter: async (at: Instant) =>
      all.find((sale) => sale.registeredAt > at)?.id ?? (all.at(-1)?.id ?? 0) + 1,
  } as unknown as Sales;
  return { listSales: makeListSales({ sales }), asked };
};

describe('a list of sales', () => {
  const pagesOf = async (
    ids: readonly number[],
    query: Parameters<ReturnType<typeof storeOf>['listSales']>[0],
    limit = 2,
  ) => {
    const { listSales, asked } = storeOf(ids);
    const pages: number[][] = [];
    let place: number | undefined;
    do {
      const { sales, next } = await listSales(query, place, limit);
      pages.push(sales.map(({ id }) => id));
      place = next;
    } while (place !== undefined && pages.length < 99);
    return { pages, asked };
  };

  it('has each sale once, in either order, and ends', async () => {
    expect((await pagesOf([1, 2, 3, 5, 9], {})).pages).to.deep.equal([[9, 5], [3, 2], [1]]);
    expect((await pagesOf([1, 2, 3, 9], { order: 'oldest' })).pages).to.deep.equal([
      ...[
        [1, 2],
        [3, 9],
      ],
    ]);
    expect((await pagesOf([], {})).pages).to.deep.equal([[]]);
    expect((await pagesOf([7], {}, 1)).pages).to.deep.equal([[7]]);
  });

  it('ends at the first number, however high that is', async () => {
    const ids = [1, 2, 30_000].map((each) => FIRST_OF_GROUP + each);
    const rare = { statuses: ['paid'] } as const;
    expect((await pagesOf(ids, rare)).pages).to.deep.equal([[ids[2], ids[1]], [ids[0]]]);
    expect((await pagesOf(ids, { ...rare, order: 'oldest' })).pages).to.deep.equal([
      [ids[0], ids[1]],
      [ids[2]],
    ]);
  });

  it('looks for sales of a product or status through a limited number at once', async () => {
    const ids = [10, 120_000, 120_001, 900_000];
    for (const [query, expected] of [
      [{ productCode: 'X' }, [[900_000], [], [], [120_001, 120_000], [10]]],
      [{ statuses: ['paid'], order: 'oldest' }, [[10, 120_000], [120_001], [], [], [], [900_000]]],
    ] as const) {
      const { pages, asked } = await pagesOf(ids, query);
      expect(pages.flat()).to.deep.equal(expected.flat());
      expect(pages.length).to.be.within(3, 16);
      for (const { before = 0, after = 0 } of asked.filter((each) => each.limit > 1))
        expect(before - after).to.be.at.most(20_001);
    }
  });

  it('goes by the index of a channel where one is named', async () => {
    const { pages, asked } = await pagesOf([10, 900_000], { channelLink: 'c', productCode: 'X' });
    expect(pages).to.deep.equal([[900_000, 10]]);
    expect(asked).to.have.length(2);
  });

  it('makes a period a range of numbers', async () => {
    const period = { from: timeOf(100), to: timeOf(103) };
    const ids = Array.from({ length: 200 }, (_, index) => index + 1);
    const { pages, asked } = await pagesOf(ids, period);
    expect(pages).to.deep.equal([[102, 101], [100]]);
    // Sales are numbered in about the order of their times.
    expect(asked[0]).to.include({ before: 114, after: 80 });
    const { pages: oldest } = await pagesOf(ids, { ...period, order: 'oldest' });
    expect(oldest).to.deep.equal([[100, 101], [102]]);
    expect((await pagesOf(ids, { to: timeOf(0) })).pages).to.deep.equal([[]]);
  });
});
