import { groupOfNumber } from '../../application/groups/group-numbers.ts';
import type { GroupMap } from '../../application/groups/groups.ts';
import { createPages, type PageParts } from './pages/all-pages.ts';
import type { Answer, OwnPage, OwnVisit, Page } from './visit.ts';

/** The groups of channels beside group 0, as the console reaches them. */
export interface ConsoleGroups {
  current(): GroupMap | Promise<GroupMap>;
  /** What pages need of a group. @throws Unavailable */
  partsOf(group: number): PageParts;
}

/** The group that a visit is about, by its channel or a number in its path or form; undefined: all. */
const groupOf = (visit: OwnVisit, { placed }: GroupMap): number | undefined => {
  const channelLink = visit.channelLink ?? (visit.query('channel') || undefined);
  if (channelLink !== undefined) return placed.get(channelLink) ?? 0;
  // A mailing is named `sale-number`.
  const id = visit.form.one('mailing') ?? visit.parameter('id');
  return /^\d+(-|$)/.test(id) ? groupOfNumber(Number.parseInt(id, 10)) : undefined;
};

/** Answers a page by the group that it is about. */
export const answerInGroup = (pages: readonly Page[], groups: ConsoleGroups) => {
  const known = new WeakMap<PageParts, readonly Page[]>();
  const pageIn = (group: number, page: OwnPage): OwnPage => {
    const parts = groups.partsOf(group);
    const own = known.get(parts) ?? createPages(parts);
    known.set(parts, own);
    return own[pages.indexOf(page)] as OwnPage;
  };

  return async function answer(page: OwnPage, visit: OwnVisit): Promise<Answer> {
    const map = await groups.current();
    const group = map.groups.find(({ number }) => number === groupOf(visit, map));
    return (group === undefined ? page : pageIn(group.number, page)).answer(visit);
  };
};
