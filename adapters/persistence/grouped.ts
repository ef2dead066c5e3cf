import { Unavailable } from '../../application/unavailable.ts';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

export interface Grouping<Item, Result> {
  /** Does a group whole or not at all; a result for each of its items, in their order. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** So many items in a group, at most. */
  readonly most: number;
  /** So many groups are worked on at the same time; one that hangs does not count. */
  readonly atOnce: number;
  /** So many may wait for their turn; whoever comes when they do is sent away at once. */
  readonly mostWaiting?: number;
  /** Milliseconds that nobody waits longer for his turn: a store that hangs keeps only those whose group it has. */
  readonly patience?: number;
  /** Milliseconds after which a group that is under way is held to hang. */
  readonly hangs?: number;
}

/**
 * Does together what comes together: while groups are under way, what comes waits for the next one. No timer: the first
 * waits for nobody. Each caller is answered when his group is done. Where a group fails for another reason than the store
 * itself, its halves are tried apart, so that in the end only what is at fault fails.
 *
 * What is returned throws `Unavailable` where too many wait, where a turn is too long in coming, or where the store is out of reach.
 */
export const grouped = <Item, Result>({
  work,
  most,
  atOnce,
  mostWaiting = 5_000,
  patience = 5_000,
  hangs = 2_000,
}: Grouping<Item, Result>): ((item: Item) => Promise<Result>) => {
  let waiting: Waiting<Item, Result>[] = [];
  /** When each group that is under way began. */
  const underWay = new Set<{ since: number }>();
  let isStarting = false;
  let impatience: NodeJS.Timeout | undefined;

  /** What there is to tell the callers, once the group is done. */
  const doGroup = async (group: readonly Waiting<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await work(group.map(({ item }) => item));
      return () => {
        for (const [index, { done }] of group.entries()) done(results[index] as Result);
      };
    } catch (error) {
      if (group.length === 1 || error instanceof Unavailable) {
        return () => {
          for (const { failed } of group) failed(error);
        };
      }
      const middle = Math.ceil(group.length / 2);
      (await doGroup(group.slice(0, middle)))();
      return doGroup(group.slice(middle));
    }
  };

  const doAll = async (): Promise<void> => {
    const lane = { since: 0 };
    let tell = () => {};
    underWay.add(lane);
    while (waiting.length > 0) {
      lane.since = performance.now();
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      const doing = doGroup(group);
      // After the statement has left: what the callers do next would keep the database waiting.
      process.nextTick(tell);
      tell = await doing;
    }
    underWay.delete(lane);
    tell();
  };

  /** Groups that hang do not count: others may begin in their place. */
  const isFull = (): boolean => {
    const hanging = performance.now() - hangs;
    let count = 0;
    for (const { since } of underWay) if (since > hanging) count += 1;
    return count >= atOnce;
  };

  const startSoon = (): void => {
    if (isStarting || isFull()) return;
    isStarting = true;
    // What comes in the same turn of the event loop goes together.
    setImmediate(() => {
      isStarting = false;
      void doAll();
    });
  };

  const sendAwayTheLate = (): void => {
    const tooLate = performance.now() - patience;
    const late = waiting.filter(({ since }) => since <= tooLate);
    waiting = waiting.slice(late.length);
    for (const { failed } of late) failed(new Unavailable('the turn did not come in time'));
    impatience = undefined;
    watchTheFirst();
  };

  const watchTheFirst = (): void => {
    const [first] = waiting;
    if (impatience !== undefined || first === undefined) return;
    impatience = setTimeout(
      sendAwayTheLate,
      Math.max(1, first.since + patience - performance.now()),
    ).unref();
  };

  return (item) =>
    new Promise((done, failed) => {
      if (waiting.length >= mostWaiting)
        return failed(new Unavailable('too many wait for their turn'));
      waiting.push({ item, since: performance.now(), done, failed });
      startSoon();
      watchTheFirst();
    });
};
