/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The place behind the page, for another call. Null: the list has ended. */
  readonly cursor: string | null;
}

/** A page, and whether to ask for the next one. */
export interface FoundPage<Item> extends Page<Item> {
  readonly hasMore: boolean;
}

/**
 * A list that is read page by page while it is iterated. Iterating it again begins where it began
 * the first time.
 */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<FoundPage<Item>>;
  readonly #start: string | undefined;
  #cursor: string | null | undefined;

  constructor(
    read: (cursor: string | undefined) => Promise<FoundPage<Item>>,
    start: string | undefined,
  ) {
    this.#read = read;
    this.#start = start;
    this.#cursor = start;
  }

  /**
   * The place behind the last page of which every item was taken: with it a later call goes on, and
   * misses nothing. It moves when the item after that page is asked for. Undefined before the first
   * page; null behind the last page of a list that ends.
   */
  get cursor(): string | null | undefined {
    return this.#cursor;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  /** The same list by pages: store the items of a page and its `cursor` in one transaction. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    this.#cursor = this.#start;
    for (let cursor = this.#start; ; ) {
      const page = await this.#read(cursor);
      yield { items: page.items, cursor: page.cursor };
      this.#cursor = page.cursor;
      if (!page.hasMore || page.cursor === null) return;
      cursor = page.cursor;
    }
  }
}
