import type { Sale } from '#domain';
import type { RebuildStep } from '../../../application/rebuild.ts';
import type {
  FoundSales,
  SearchIndex,
  SearchPage,
} from '../../../application/search/search-index.ts';
import { PREFIX_LETTERS, type SearchEntry } from '../../../application/search/search-terms.ts';
import type { Database } from '../engine/database.ts';
import { saleOfRow } from '../schema/sale-row.ts';
import {
  type EnteredRows,
  emptySearch,
  enterSales,
  expandWords,
  findAmongFew,
  findAmongMany,
  findByKeys,
  findInChannel,
  loadSales,
  movePlace,
  readNews,
  readSales,
  readSalesBefore,
} from './search-statements.ts';

/** The keyed hash of a key or word as a term, by each key that may have made it: the present one first. */
export type TermsOf = (text: string) => readonly [string, ...string[]];

/** Words that a prefix may stand for. The rarest of them would hardly be missed. */
const MAX_EXPANSIONS = 100;

/**
 * Sales of the rarest word that are looked at: first few, then many. Many more are looked at where two
 * words stand for nothing but themselves.
 */
const FEW = { statement: findAmongFew, looks: 1_000 };
const MORE = { statement: findAmongFew, looks: 10_000 };
const MOST = { statement: findAmongMany, looks: 100_000 };

/** The newest sales of a channel that are looked at. */
const LOOKS_OF_CHANNEL = 10_000;

/** A word that may stand for more is looked for in the names alone. */
const MAX_SECONDS = 4;

/** `channels`: the one whose sales are looked for; empty: all. */
interface Page {
  readonly before: number;
  readonly channels: readonly string[];
  readonly limit: number;
}

export class DatabaseSearchIndex implements SearchIndex {
  readonly #database: Database;
  readonly #termsOf: TermsOf;

  constructor(database: Database, termsOf: TermsOf) {
    this.#database = database;
    this.#termsOf = termsOf;
  }

  async follow(limit: number, entryOf: (sale: Sale) => SearchEntry): Promise<'done' | 'more'> {
    const [news] = await this.#database.query(readNews, { limit });
    if (!news || news.to === null) return 'done';
    const [fresh, mailed] = [news.fresh ?? [], news.mailed ?? []];
    if (fresh.length + mailed.length > 0) {
      const rows = await this.#database.query(readSales, { fresh, mailed });
      await this.#enter(rows, entryOf);
    }
    // Another process may have moved it: then the same sales were entered twice.
    await this.#database.query(movePlace, { from: news.from, to: news.to });
    return news.count < limit ? 'done' : 'more';
  }

  async find(asked: SearchPage): Promise<FoundSales> {
    const { name, keys, saleId = 0, words, before, channelLink, limit } = asked;
    const channels = channelLink === undefined ? [] : [channelLink];
    const page = { before: before ?? Number.MAX_SAFE_INTEGER, channels, limit };
    const terms = keys.flatMap(this.#termsOf);
    const perTerm = channelLink === undefined ? limit : LOOKS_OF_CHANNEL;
    const byKeys = { terms, name, saleId, perTerm, ...page };
    const [keyed] = await this.#database.query(findByKeys, byKeys);
    const named = keyed?.ids ?? [];
    const byWords = await this.#findWords(words, page, channelLink);
    const isCut = keyed?.isCut === true && named.length < limit;
    const isPartial = byWords.isPartial || isCut;
    const found = new Set([...named, ...byWords.ids].map(Number));
    const newest = [...found].sort((one, other) => other - one).slice(0, limit);
    if (newest.length === 0) return { sales: [], isPartial };
    const rows = await this.#database.query(loadSales, { ids: newest.map(String) });
    return { sales: rows.map(saleOfRow), isPartial };
  }

  async empty(): Promise<void> {
    await this.#database.query(emptySearch, {});
  }

  async rebuild(
    before: number,
    limit: number,
    entryOf: (sale: Sale) => SearchEntry,
  ): Promise<RebuildStep> {
    const rows = await this.#database.query(readSalesBefore, { before, limit });
    const entered = await this.#enter(rows, entryOf);
    return { entered: rows.length, next: Math.min(before, ...entered) };
  }

  /** @returns the numbers of the sales */
  async #enter(
    rows: readonly object[],
    entryOf: (sale: Sale) => SearchEntry,
  ): Promise<readonly number[]> {
    const entries = rows.map((row) => entryOf(saleOfRow(row)));
    if (entries.length > 0) await this.#database.query(enterSales, this.#rowsOf(entries));
    return entries.map(({ saleId }) => saleId);
  }

  #rowsOf(entries: readonly SearchEntry[]): EnteredRows {
    const terms: string[] = [];
    const termSales: number[] = [];
    const counts = new Map<string, number>();
    for (const { saleId, keys, words } of entries) {
      for (const text of [...keys, ...words.map(wordKey)]) {
        terms.push(this.#termsOf(text)[0]);
        termSales.push(saleId);
      }
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return {
      ...{ terms, termSales, sales: entries.map(({ saleId }) => saleId) },
      names: entries.map(({ words }) => ` ${words.join(' ')} `),
      ...{ words: [...counts.keys()], counts: [...counts.values()] },
    };
  }

  /** The words of the index that each word may stand for; undefined if one stands for none. */
  async #expand(words: readonly string[]): Promise<readonly Expansion[] | undefined> {
    const isWhole = words.map((word) => !isPrefix(word));
    const asked = { prefixes: words, isWhole, limit: MAX_EXPANSIONS };
    const rows = await this.#database.query(expandWords, asked);
    const expansions = words.map((word, index) => {
      const found = rows.filter(({ turn }) => turn === index + 1);
      const weight = found.reduce((sum, { sales }) => sum + Number(sales), 0);
      return { word, weight, found: found.map((row) => row.word) };
    });
    return expansions.every(({ found }) => found.length > 0) ? expansions : undefined;
  }

  /** Looks at the sales of the rarest word, and whether the others stand in their names. */
  async #findByWords(
    words: readonly string[],
    page: Page,
  ): Promise<{ readonly ids: readonly string[]; readonly isPartial: boolean }> {
    const expansions = words.length === 0 ? undefined : await this.#expand(words);
    const [rarest, ...others] = expansions?.toSorted((a, b) => a.weight - b.weight) ?? [];
    if (rarest === undefined) return { ids: [], isPartial: false };

    const second = others.find(({ found }) => found.length <= MAX_SECONDS);
    const terms = this.#termsOfWords(rarest.found);
    const seconds = this.#termsOfWords(second?.found ?? []);
    const patterns = patternsOf(others.map(({ word }) => word));
    const isPartial = rarest.found.length === MAX_EXPANSIONS;
    let ids: readonly string[] = [];
    for (const { statement, looks } of [FEW, seconds.length === 1 ? MOST : MORE]) {
      const perTerm = Math.max(page.limit, Math.ceil(looks / terms.length));
      const asked = { terms, seconds, patterns, perTerm, ...page };
      const [found] = await this.#database.query(statement, asked);
      ids = found?.ids ?? [];
      const completeTo = Number(found?.completeTo ?? 0);
      const isFull = ids.length >= page.limit && Number(ids.at(-1)) >= completeTo;
      if (isFull || completeTo === 0) return { ids, isPartial };
    }
    return { ids, isPartial: true };
  }

  /** In a channel its newest sales are looked at first: of most channels these are all. */
  async #findWords(
    words: readonly string[],
    page: Page,
    channelLink: string | undefined,
  ): Promise<{ readonly ids: readonly string[]; readonly isPartial: boolean }> {
    if (channelLink === undefined || words.length === 0) return this.#findByWords(words, page);
    const { before, limit } = page;
    const asked = { channelLink, patterns: patternsOf(words), before, limit };
    const looked = { ...asked, looks: LOOKS_OF_CHANNEL };
    const [own] = await this.#database.query(findInChannel, looked);
    const ids = own?.ids ?? [];
    if (ids.length >= limit || own?.completeTo === null) return { ids, isPartial: false };
    const others = await this.#findByWords(words, page);
    return { ids: [...ids, ...others.ids], isPartial: others.isPartial };
  }

  #termsOfWords(words: readonly string[]): readonly string[] {
    return words.flatMap((word) => this.#termsOf(wordKey(word)));
  }
}

/** What a word that was typed stands for, and about how many sales have it. */
interface Expansion {
  readonly word: string;
  readonly weight: number;
  readonly found: readonly string[];
}

/** What the words of a sale's names are like that have all of these. */
const patternsOf = (words: readonly string[]): readonly string[] =>
  words.map((word) => (isPrefix(word) ? `% ${word}%` : `% ${word} %`));

const isPrefix = (word: string): boolean => [...word].length >= PREFIX_LETTERS;

const wordKey = (word: string): string => `word:${word}`;
