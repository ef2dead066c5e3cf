import { rebuildBySteps } from '../rebuild.ts';
import type { FoundSales, SearchIndex, SearchPage } from './search-index.ts';
import { readQuestion, searchEntryOf } from './search-terms.ts';

/** Sales that are entered by one step: many at once cost less, and a step has a time limit. */
const STEP = 500;

/** Finds sales by what was typed: a number, a name of the sale, a tax id, an e-mail, a phone, a name. */
export type SearchSales = (
  typed: string,
  page: Pick<SearchPage, 'before' | 'channelLink' | 'limit'>,
) => Promise<FoundSales>;

interface Needs {
  readonly searchIndex: SearchIndex;
}

export const makeSearchSales =
  ({ searchIndex }: Needs): SearchSales =>
  (typed, page) =>
    searchIndex.find({ ...readQuestion(typed), ...page });

/** Enters sales that are new or changed. `more`: some are left. */
export const makeFollowSales =
  ({ searchIndex }: Needs) =>
  (): Promise<'done' | 'more'> =>
    searchIndex.follow(STEP, searchEntryOf);

/**
 * Forgets the index and fills it anew, the newest sales first.
 *
 * @param report gets how many sales have been entered, after each step
 * @returns how many
 */
export type RebuildSearch = (report: (entered: number) => void) => Promise<number>;

export const makeRebuildSearch =
  ({ searchIndex }: Needs): RebuildSearch =>
  async (report) => {
    await searchIndex.empty();
    return rebuildBySteps((before) => searchIndex.rebuild(before, STEP, searchEntryOf), report);
  };
