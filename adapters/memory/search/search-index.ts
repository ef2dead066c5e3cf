import type { Sale } from '#domain';
import type { RebuildStep } from '../../../application/rebuild.ts';
import type {
  FoundSales,
  SearchIndex,
  SearchPage,
} from '../../../application/search/search-index.ts';
import {
  PREFIX_LETTERS,
  type SearchEntry,
  saleNamesOf,
} from '../../../application/search/search-terms.ts';
import type { MemoryPartnerEvents } from '../events/partner-events.ts';
import type { MemorySales } from '../sales/sales.ts';

/** Sales that a question by words finds at most: of more it says that it is partial. */
const MOST = 10_000;

export class MemorySearchIndex implements SearchIndex {
  readonly #sales: MemorySales;
  /** The sales with news, in the order of the events. */
  #waiting: number[] = [];
  readonly #entries = new Map<number, SearchEntry>();

  constructor(sales: MemorySales, events: MemoryPartnerEvents) {
    this.#sales = sales;
    events.follow((event) => {
      if ('sale' in event) this.#waiting.push(event.sale.id);
    });
  }

  async follow(limit: number, entryOf: (sale: Sale) => SearchEntry): Promise<'done' | 'more'> {
    const next = this.#waiting.slice(0, limit);
    this.#waiting = this.#waiting.slice(limit);
    for (const id of next) {
      const sale = await this.#sales.load(id);
      if (sale !== undefined) this.#entries.set(id, entryOf(sale));
    }
    return this.#waiting.length > 0 ? 'more' : 'done';
  }

  async find(page: SearchPage): Promise<FoundSales> {
    const { before, channelLink, limit, words } = page;
    const all = await this.#sales.list({ before, channelLink, limit: Infinity });
    const sales = all.filter((sale) => this.#fits(sale, page));
    const isPartial = words.length > 0 && sales.length > MOST;
    return { sales: sales.slice(0, limit), isPartial };
  }

  #fits(sale: Sale, { name, keys, saleId, words }: SearchPage): boolean {
    const entry = this.#entries.get(sale.id);
    return (
      sale.id === saleId ||
      sale.ticket === name.toUpperCase() ||
      saleNamesOf(sale).includes(name) ||
      (entry?.keys.some((key) => keys.includes(key)) ?? false) ||
      (entry !== undefined && words.length > 0 && words.every((word) => hasWord(entry, word)))
    );
  }

  async empty(): Promise<void> {
    this.#entries.clear();
  }

  async rebuild(
    before: number,
    limit: number,
    entryOf: (sale: Sale) => SearchEntry,
  ): Promise<RebuildStep> {
    const listed = await this.#sales.list({ before, limit });
    for (const sale of listed) this.#entries.set(sale.id, entryOf(sale));
    return { entered: listed.length, next: Math.min(before, ...listed.map(({ id }) => id)) };
  }
}

const hasWord = ({ words }: SearchEntry, word: string): boolean =>
  [...word].length < PREFIX_LETTERS
    ? words.includes(word)
    : words.some((each) => each.startsWith(word));
