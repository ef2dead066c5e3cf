import type { Sale } from '#domain';
import type { RebuildStep } from '../rebuild.ts';
import type { SearchEntry, SearchQuestion } from './search-terms.ts';

export interface SearchPage extends SearchQuestion {
  /** Only sales with a smaller number: those after the last one of the page before. */
  readonly before?: number | undefined;
  /** Only sales of this channel. */
  readonly channelLink?: string | undefined;
  readonly limit: number;
}

export interface FoundSales {
  /** The newest first. */
  readonly sales: readonly Sale[];
  /**
   * Whether the words name too many sales to look at them all: others may be newer than those found,
   * or be missing. More words, or longer ones, find the right ones.
   */
  readonly isPartial: boolean;
}

/**
 * Finds sales by what customers say: filled in the background, so that no sale is slower.
 *
 * 1. `follow` enters the sales that were registered or got another e-mail since the last step, each at
 *    least once, in whatever process. `more`: some are left.
 * 2. A sale is found by its number and each of its names at once, and by each key of its people as a
 *    whole when it is entered. Then it is found by words, too, if all stand in the names of its people:
 *    short ones as they are, longer ones also as the beginning of a word.
 * 3. The newest come first, at most `limit`, and only those before `before` and of `channelLink`.
 * 4. `empty` forgets everything; `rebuild` enters all sales below `before`, the newest first, step by
 *    step. What is sold meanwhile is entered by `follow`.
 */
export interface SearchIndex {
  follow(limit: number, entryOf: (sale: Sale) => SearchEntry): Promise<'done' | 'more'>;
  find(page: SearchPage): Promise<FoundSales>;
  empty(): Promise<void>;
  rebuild(
    before: number,
    limit: number,
    entryOf: (sale: Sale) => SearchEntry,
  ): Promise<RebuildStep>;
}
