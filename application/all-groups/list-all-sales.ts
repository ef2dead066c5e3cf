import type { Sale } from '#domain';
import { askGroups, type InGroups } from '../groups/in-groups.ts';
import { mergeNumbered, type Places, takeNewest } from '../groups/merge-lists.ts';
import type { ListQuery, ListSales } from '../sales/list-sales.ts';
import type { SearchSales } from '../search/search-sales.ts';

interface Needs {
  readonly groupViews: InGroups<{
    readonly listSales: ListSales;
    readonly searchSales: SearchSales;
  }>;
}

interface ListedSales {
  readonly sales: readonly Sale[];
  /** Where the list goes on; undefined: there are no more. */
  readonly next: Places | undefined;
  /** The groups that did not answer. */
  readonly incomplete: readonly number[];
}

/** Lists the sales of all groups of channels, as `listSales` does those of one. */
export type ListAllSales = (
  query: ListQuery,
  places: Places,
  limit: number,
) => Promise<ListedSales>;

export const makeListAllSales =
  ({ groupViews }: Needs): ListAllSales =>
  async (query, places, limit) => {
    const { found, incomplete } = await askGroups(groupViews(), ({ listSales }, group) => {
      const place = places.get(group);
      return listSales(query, place === undefined ? place : Number(place), limit);
    });
    const lists = [...found].map(([group, { sales, next }]) => ({ group, items: sales, next }));
    const [first, other] = query.order === 'oldest' ? [-1, 1] : [1, -1];
    const { items, taken } = takeNewest(lists, limit, (one, than) =>
      one.registeredAt > than.registeredAt ? first : other,
    );
    const next = new Map(places);
    let hasMore = false;
    for (const { group, items: all, next: place } of lists) {
      const count = taken.get(group) ?? 0;
      const last = all[count - 1];
      const isOver = count === all.length && place === undefined;
      hasMore ||= !isOver;
      if (count === all.length && place !== undefined) next.set(group, String(place));
      else if (last !== undefined) next.set(group, String(last.id));
    }
    return { sales: items, next: hasMore ? next : undefined, incomplete };
  };

/** Finds sales of all groups by what was typed, as `searchSales` does those of one. */
export type SearchAllSales = (
  typed: string,
  page: {
    readonly channelLink?: string | undefined;
    readonly places: Places;
    readonly limit: number;
  },
) => Promise<ListedSales & { readonly isPartial: boolean }>;

export const makeSearchAllSales =
  ({ groupViews }: Needs): SearchAllSales =>
  async (typed, { channelLink, places, limit }) => {
    let isPartial = false;
    const { items, next, incomplete } = await mergeNumbered({
      ...{ ports: groupViews(), places, limit },
      read: async ({ searchSales }, before, most) => {
        const found = await searchSales(typed, { channelLink, before, limit: most });
        isPartial ||= found.isPartial;
        return found.sales;
      },
      numberOf: ({ id }) => id,
      timeOf: ({ registeredAt }) => registeredAt,
    });
    return { sales: items, next, incomplete, isPartial };
  };
