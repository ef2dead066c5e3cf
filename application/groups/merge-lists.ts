import type { Instant } from '#domain';
import { askGroups } from './in-groups.ts';

/** Where the list of each group goes on: after this item of it. Absent: at its beginning. */
export type Places = ReadonlyMap<number, string>;

interface Merging<Port, Item> {
  readonly ports: ReadonlyMap<number, Port>;
  readonly places: Places;
  /** Items on a page. */
  readonly limit: number;
  /** Reads the list of one group, the newest first, at most `limit` items. */
  readonly read: (port: Port, after: string | undefined, limit: number) => Promise<readonly Item[]>;
  readonly placeOf: (item: Item) => string;
  readonly timeOf: (item: Item) => Instant;
}

interface MergedPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; undefined: this is the last. */
  readonly next: Places | undefined;
  /** The groups that did not answer. The next page goes on in them where the one before did. */
  readonly incomplete: readonly number[];
}

/**
 * Merges the lists of all groups by time, the newest first. Each list keeps its own order.
 *
 * @throws Unavailable where no group answers
 */
export const mergeLists = async <Port, Item>({
  ports,
  places,
  limit,
  read,
  placeOf,
  timeOf,
}: Merging<Port, Item>): Promise<MergedPage<Item>> => {
  const { found, incomplete } = await askGroups(ports, (port, group) =>
    // The extra item tells whether another page follows.
    read(port, places.get(group), limit + 1),
  );
  const lists = [...found].map(([group, items]) => ({ group, items }));
  const { items, taken } = takeNewest(lists, limit, (one, other) =>
    timeOf(one) > timeOf(other) ? 1 : -1,
  );
  const next = new Map(places);
  for (const { group, items: all } of lists) {
    const last = all[(taken.get(group) ?? 0) - 1];
    if (last !== undefined) next.set(group, placeOf(last));
  }
  const hasMore = lists.some(({ group, items: all }) => (taken.get(group) ?? 0) < all.length);
  return { items, next: hasMore ? next : undefined, incomplete };
};

interface MergingNumbered<Port, Item> extends Omit<Merging<Port, Item>, 'read' | 'placeOf'> {
  /** Reads the items of one group with numbers below `before`. */
  readonly read: (
    port: Port,
    before: number | undefined,
    limit: number,
  ) => Promise<readonly Item[]>;
  readonly numberOf: (item: Item) => number;
}

/** The same for lists that go on below the number of an item. */
export const mergeNumbered = <Port, Item>({
  read,
  numberOf,
  ...merging
}: MergingNumbered<Port, Item>): Promise<MergedPage<Item>> =>
  mergeLists({
    ...merging,
    read: (port, after, most) => read(port, after === undefined ? after : Number(after), most),
    placeOf: (item) => String(numberOf(item)),
  });

interface ListOfGroup<Item> {
  readonly group: number;
  readonly items: readonly Item[];
}

/**
 * Takes the first items of several lists, each in its own order.
 *
 * @param compare above 0: the first item comes before the other
 * @returns how many were taken of each list besides
 */
export const takeNewest = <Item>(
  lists: readonly ListOfGroup<Item>[],
  limit: number,
  compare: (one: Item, other: Item) => number,
): { readonly items: readonly Item[]; readonly taken: ReadonlyMap<number, number> } => {
  const taken = new Map<number, number>();
  const items: Item[] = [];
  while (items.length < limit) {
    const heads = lists.flatMap(({ group, items: all }) => {
      const head = all[taken.get(group) ?? 0];
      return head === undefined ? [] : [{ group, head }];
    });
    const [first, ...others] = heads;
    if (first === undefined) break;
    const best = others.reduce(
      (found, each) => (compare(each.head, found.head) > 0 ? each : found),
      first,
    );
    taken.set(best.group, (taken.get(best.group) ?? 0) + 1);
    items.push(best.head);
  }
  return { items, taken };
};

/** Places as one text: of group 0 alone as they are, of several as `group:place`. */
export const writePlaces = (places: Places): string => {
  const [only] = places;
  if (places.size === 1 && only?.[0] === 0) return only[1];
  return [...places].map(([group, place]) => `${group}:${place}`).join(' ');
};

/** The places that a text says; undefined if it says none. */
export const readPlaces = (
  text: string,
  isPlace: (text: string) => boolean,
): Places | undefined => {
  if (isPlace(text)) return new Map([[0, text]]);
  const places = new Map<number, string>();
  for (const each of text.split(' ')) {
    const [, group, place = ''] = /^(\d{1,5}):(.+)$/.exec(each) ?? [];
    if (group === undefined || !isPlace(place)) return undefined;
    places.set(Number(group), place);
  }
  return places;
};
