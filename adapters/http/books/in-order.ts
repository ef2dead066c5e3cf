/**
 * Does `work` for each item, up to `width` of them at the same time, and returns the results in the
 * order of the items: each as soon as it and those before it are there. It takes no further items
 * while `width` results have not been taken. An error in reading the items is thrown after the
 * results of the items before it.
 *
 * @param first the first item, already asked for.
 * @param work must not reject.
 */
export async function* mapInOrder<Item, Result>(
  items: AsyncIterator<Item, undefined>,
  first: Promise<IteratorResult<Item, undefined>>,
  width: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const started: Promise<Result>[] = [];
  let next = new Coming(first);

  for (;;) {
    const [oldest] = started;
    const isFull = started.length >= width;
    if (oldest !== undefined && !isFull && !next.isThere)
      await Promise.race([oldest, next.settled]);
    if (oldest !== undefined && (isFull || !next.isThere)) {
      yield await oldest;
      started.shift();
      continue;
    }

    const { item, error } = await next.settled;
    if (item === undefined || item.done === true) {
      for (const each of started) yield await each;
      if (item === undefined) throw error;
      return;
    }
    started.push(work(item.value));
    next = new Coming(items.next());
  }
}

/** An item that has been asked for. */
class Coming<Item> {
  isThere = false;
  readonly settled: Promise<{ item?: IteratorResult<Item, undefined>; error?: unknown }>;

  constructor(asked: Promise<IteratorResult<Item, undefined>>) {
    const note = <Settled>(settled: Settled): Settled => {
      this.isThere = true;
      return settled;
    };
    this.settled = asked.then(
      (item) => note({ item }),
      (error: unknown) => note({ error }),
    );
  }
}
