import { expect } from 'chai';
import type { Instant } from '#domain';
import { mergeLists, readPlaces, writePlaces } from '../../application/groups/merge-lists.ts';
import { Unavailable } from '../../application/unavailable.ts';

interface Item {
  readonly id: string;
  readonly at: Instant;
}

/** A list whose items have these times, the newest first; undefined: it is out of reach. */
type List = readonly number[] | undefined;

const itemsOf = (group: number, times: readonly number[]): readonly Item[] =>
  times.map((time) => ({ id: `${group}.${time}`, at: String(time).padStart(3, '0') as Instant }));

const page = (lists: Readonly<Record<number, List>>, places: string | undefined, limit: number) =>
  mergeLists<List, Item>({
    ports: new Map(Object.entries(lists).map(([group, list]) => [Number(group), list])),
    places: places === undefined ? new Map() : (readPlaces(places, isPlace) ?? new Map()),
    limit,
    read: async (list, after, most) => {
      if (list === undefined) throw new Unavailable('away');
      const group = Number(Object.keys(lists).find((each) => lists[Number(each)] === list));
      const all = itemsOf(group, list);
      const begin = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      return all.slice(begin, begin + most);
    },
    placeOf: ({ id }) => id,
    timeOf: ({ at }) => at,
  });

const isPlace = (text: string): boolean => /^\d\.\d+$/.test(text);

describe('lists of all groups', () => {
  it('are one list by time, page after page, each item once', async () => {
    const lists = { 0: [9, 7, 2], 1: [8, 6, 5, 1], 2: [] };
    const pages: string[][] = [];
    let place: string | undefined;
    do {
      const { items, next, incomplete } = await page(lists, place, 3);
      expect(incomplete).to.deep.equal([]);
      pages.push(items.map(({ id }) => id));
      place = next && writePlaces(next);
    } while (place !== undefined);
    expect(pages).to.deep.equal([['0.9', '1.8', '0.7'], ['1.6', '1.5', '0.2'], ['1.1']]);
  });

  it('keep the order of each list, also where its times are out of order', async () => {
    const { items } = await page({ 0: [5, 6], 1: [4] }, undefined, 9);
    expect(items.map(({ id }) => id)).to.deep.equal(['0.5', '0.6', '1.4']);
  });

  it('name a group that does not answer, and go on in it where they were', async () => {
    const first = await page({ 0: [9, 7], 1: [8, 6] }, undefined, 2);
    const without = await page({ 0: [9, 7], 1: undefined }, writePlaces(first.next as never), 1);
    expect(without).to.deep.include({ incomplete: [1], next: undefined });
    expect(without.items.map(({ id }) => id)).to.deep.equal(['0.7']);
    const failure = await page({ 0: undefined, 1: undefined }, undefined, 2).catch(
      (error) => error,
    );
    expect(failure).to.be.instanceOf(Unavailable);
  });

  it('pass on faults that are no outage', async () => {
    const failing = mergeLists<null, Item>({
      ports: new Map([[0, null]]),
      ...{ places: new Map(), limit: 1 },
      read: async () => {
        throw new Error('a fault');
      },
      placeOf: ({ id }) => id,
      timeOf: ({ at }) => at,
    });
    expect((await failing.catch((error) => error)).message).to.equal('a fault');
  });

  it('have the places of group 0 alone as they always were, and refuse others', () => {
    expect(writePlaces(new Map([[0, '0.7']]))).to.equal('0.7');
    expect(readPlaces('0.7', isPlace)).to.deep.equal(new Map([[0, '0.7']]));
    const several = new Map([
      [0, '0.7'],
      [12, '1.8'],
    ]);
    expect(readPlaces(writePlaces(several), isPlace)).to.deep.equal(several);
    expect(readPlaces('0:0.7 x', isPlace)).to.equal(undefined);
    expect(readPlaces('1:', isPlace)).to.equal(undefined);
  });
});
