import { Unavailable } from '../../application/unavailable.ts';

interface Waiting<Item> {
  readonly item: Item;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** So many in one statement at most. */
const MOST = 500;

/**
 * Writes together what comes together: while `atOnce` statements are under way, what comes waits for the next one. Whoever
 * waits is answered when the item is stored. Should a group fail for another reason than the store itself, each of its
 * items is tried alone, so that none fails for another's fault.
 */
export const grouped = <Item>(
  write: (items: readonly Item[]) => Promise<unknown>,
  atOnce: number,
): ((item: Item) => Promise<void>) => {
  let waiting: Waiting<Item>[] = [];
  let underWay = 0;

  const writeGroup = async (group: readonly Waiting<Item>[]): Promise<void> => {
    try {
      await write(group.map(({ item }) => item));
      for (const { done } of group) done();
    } catch (error) {
      if (group.length === 1 || error instanceof Unavailable) for (const { failed } of group) failed(error);
      else for (const each of group) await writeGroup([each]);
    }
  };

  const writeNext = async (): Promise<void> => {
    underWay += 1;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MOST);
      waiting = waiting.slice(MOST);
      await writeGroup(group);
    }
    underWay -= 1;
  };

  return (item) =>
    new Promise<void>((done, failed) => {
      waiting.push({ item, done, failed });
      // What comes in the same turn of the event loop goes together.
      if (underWay < atOnce && waiting.length === 1) setImmediate(() => void (underWay < atOnce && writeNext()));
    });
};
