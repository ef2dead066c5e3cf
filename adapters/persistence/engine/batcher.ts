import { AsyncLocalStorage } from 'node:async_hooks';
import { Unavailable } from '../../../application/unavailable.ts';

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface Batching<Item, Result> {
  /** Does a batch as a whole or not at all. Returns a result for each item, in their order. */
  readonly work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxItems: number;
  /** Batches that run at the same time. One that hangs (`hangMs`) does not count. */
  readonly maxConcurrent: number;
  /** Items that wait for a batch; with more, a new one is rejected at once. */
  readonly maxWaiting?: number;
  /** Items that wait longer are rejected: if the database hangs, only batches it has stay open. */
  readonly maxWaitMs?: number;
  /** A batch that runs longer is taken to hang. */
  readonly hangMs?: number;
  /** Called for each batch that begins, with its size and the time that its first item waited. */
  readonly observe?: ((items: number, waitedMs: number) => void) | undefined;
}

/** Runs work that many callers share as that of none: it has no request id and no trace. */
const ofNoCaller = AsyncLocalStorage.snapshot();

/**
 * Makes a function that does its calls in batches: calls that arrive while a batch runs go into the
 * next one. There is no timer, so the first call does not wait. A caller gets its result when its
 * batch is done.
 *
 * A batch that fails is split in two, until only the items at fault fail. It is not split when the
 * database is out of reach (`Unavailable`), because its items may have been stored.
 *
 * The function throws `Unavailable` when too many items wait, when one waits too long, and when the
 * database is out of reach.
 */
export const createBatcher = <Item, Result>({
  work,
  maxItems,
  maxConcurrent,
  maxWaiting = 5_000,
  maxWaitMs = 5_000,
  hangMs = 2_000,
  observe,
}: Batching<Item, Result>): ((item: Item) => Promise<Result>) => {
  let waiting: WaitingItem<Item, Result>[] = [];
  const running = new Set<{ since: number }>();
  let isStarting = false;
  let waitTimer: NodeJS.Timeout | undefined;

  /** Does one batch. Returns the function that gives the callers their results. */
  const runBatch = async (batch: readonly WaitingItem<Item, Result>[]): Promise<() => void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      return () => {
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
      };
    } catch (error) {
      if (batch.length === 1 || error instanceof Unavailable) {
        return () => {
          for (const { reject } of batch) reject(error);
        };
      }
      const middle = Math.ceil(batch.length / 2);
      (await runBatch(batch.slice(0, middle)))();
      return runBatch(batch.slice(middle));
    }
  };

  const runUntilEmpty = async (): Promise<void> => {
    const run = { since: 0 };
    let settleCallers = () => {};
    running.add(run);

    while (waiting.length > 0) {
      run.since = performance.now();
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      const done = runBatch(batch);
      observe?.(batch.length, run.since - (batch[0]?.since ?? run.since));
      // The callers of the batch before get their results after this statement has been sent,
      // because what they do next would delay it.
      process.nextTick(settleCallers);
      settleCallers = await done;
    }

    running.delete(run);
    settleCallers();
  };

  const isFull = (): boolean => {
    const hangsSince = performance.now() - hangMs;
    let count = 0;
    for (const { since } of running) if (since > hangsSince) count += 1;
    return count >= maxConcurrent;
  };

  const startSoon = (): void => {
    if (isStarting || isFull()) return;
    isStarting = true;
    // Calls of the same turn of the event loop go into one batch.
    setImmediate(() => {
      isStarting = false;
      void ofNoCaller(runUntilEmpty);
    });
  };

  const rejectLate = (): void => {
    const tooLate = performance.now() - maxWaitMs;
    const late = waiting.filter(({ since }) => since <= tooLate);
    waiting = waiting.slice(late.length);
    for (const { reject } of late) reject(new Unavailable('the turn did not come in time'));
    waitTimer = undefined;
    watchFirst();
  };

  const watchFirst = (): void => {
    const [first] = waiting;
    if (waitTimer !== undefined || first === undefined) return;
    const delayMs = Math.max(1, first.since + maxWaitMs - performance.now());
    waitTimer = setTimeout(rejectLate, delayMs).unref();
  };

  return function addToBatch(item) {
    return new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting)
        return reject(new Unavailable('too many wait for their turn'));
      waiting.push({ item, since: performance.now(), resolve, reject });
      startSoon();
      watchFirst();
    });
  };
};

/** How many lookups share a statement, and how many statements run at a time. */
export const LOOKUPS = { maxItems: 64, maxConcurrent: 4 };

/**
 * Makes a function that finds the row of a key. Lookups that arrive together share a statement,
 * which begins after each of them was asked for. The function throws `Unavailable` like any batched
 * one.
 */
export const createLookup = <Key, Row>(
  findRows: (keys: readonly Key[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): ((key: Key) => Promise<Row | undefined>) =>
  createBatcher<Key, Row | undefined>({
    ...LOOKUPS,
    work: async function findTogether(keys) {
      const rows = new Map((await findRows(keys)).map((row) => [keyOf(row), row]));
      return keys.map((key) => rows.get(key));
    },
  });
