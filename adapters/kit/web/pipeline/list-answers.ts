import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { type Instant, parseInstant } from '#domain';
import type { InGroups } from '../../../../application/groups/in-groups.ts';
import { mergeLists, readPlaces, writePlaces } from '../../../../application/groups/merge-lists.ts';
import { complainOfFormat } from '../../contract/complaints.ts';
import { moment } from '../../contract/formats.ts';
import type { Context } from './context.ts';
import { compileQueryReader } from './request-query.ts';

/** Items on a page if the query has no `limit`. */
export const DEFAULT_PAGE_SIZE = 50;

/** Characters of a cursor: one over all groups has a place in each. */
export const MAX_CURSOR = 2_000;

/** The query of a list: its filters, `limit` and `cursor`. */
export const listQuerySchema = <Filters extends TProperties>(filters: Filters) =>
  Type.Object(
    {
      ...filters,
      limit: Type.Optional(
        Type.String({
          format: 'page-limit',
          description: `De 1 a 200. Padrão: ${DEFAULT_PAGE_SIZE}`,
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          format: 'cursor',
          maxLength: MAX_CURSOR,
          description: 'next_cursor da página anterior',
        }),
      ),
    },
    { additionalProperties: false },
  );

/** A cursor is the position of an item in the list, in base64url. */
export const encodeCursor = (position: string): string =>
  Buffer.from(position).toString('base64url');
export const decodeCursor = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

/** A page to be read. */
export interface PageRequest<Query> {
  readonly query: Query;
  readonly limit: number;
  /** The position of the last item of the previous page. */
  readonly after: string | undefined;
}

type ListQuery = { readonly limit?: string; readonly cursor?: string };

/** A page as it was read. */
interface ReadPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; undefined: this is the last. */
  readonly next: string | undefined;
  /** The groups of channels that are not in it, because they are out of reach. */
  readonly incomplete: readonly number[];
}

interface ListParts<Item> {
  readonly placeOfItem: (item: Item) => string;
  readonly isPlace: (text: string) => boolean;
  readonly present: (item: Item) => object;
  /** If absent, the page is wrapped as `listAnswerSchema` says. */
  readonly wrap?: (page: object) => object;
}

interface Listed<Item> extends ListParts<Item> {
  readonly isCursor: (text: string) => boolean;
}

const answerPages = <Schema extends TObject, Item>(
  schema: Schema,
  { isCursor, present, wrap = (page) => ({ success: true, response: page }) }: Listed<Item>,
  readPage: (page: PageRequest<Static<Schema>>, ctx: Context) => Promise<ReadPage<Item>>,
) => {
  const readQuery = compileQueryReader(schema, (query) => {
    const { cursor } = query as ListQuery;
    return cursor === undefined || isCursor(decodeCursor(cursor))
      ? {}
      : { cursor: [complainOfFormat('cursor', 'cursor')] };
  });

  return async function answerPage(ctx: Context): Promise<void> {
    const query = readQuery(ctx.query, ctx);
    const { limit = DEFAULT_PAGE_SIZE, cursor } = query as ListQuery;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const { items, next, incomplete } = await readPage({ query, limit: Number(limit), after }, ctx);
    const nextCursor = next === undefined ? null : encodeCursor(next);
    if (nextCursor !== null) linkNextPage(ctx, { cursor: nextCursor });
    ctx.body = wrap({
      data: items.map(present),
      next_cursor: nextCursor,
      ...(incomplete.length > 0 && { incomplete }),
    });
  };
};

/** Answers a list, page by page. */
export const answerList = <Schema extends TObject, Item>(
  schema: Schema,
  list: ListParts<Item> & {
    /** Reads at most `limit` items. */
    readonly read: (page: PageRequest<Static<Schema>>, ctx: Context) => Promise<readonly Item[]>;
  },
) =>
  answerPages(schema, { ...list, isCursor: list.isPlace }, async (page, ctx) => {
    // The extra item tells whether another page follows.
    const found = await list.read({ ...page, limit: page.limit + 1 }, ctx);
    const items = found.slice(0, page.limit);
    const last = found.length > page.limit ? items.at(-1) : undefined;
    return { items, next: last && list.placeOfItem(last), incomplete: [] };
  });

/** A list that each group of channels has, by the time of its items. */
interface GroupedList<Port, Page, Item> extends ListParts<Item> {
  readonly groups: InGroups<Port>;
  /** Reads at most `limit` items of one group, the newest first. */
  readonly read: (port: Port, page: Page) => Promise<readonly Item[]>;
  readonly timeOf: (item: Item) => Instant;
}

/** Answers the list of all groups, page by page, the newest first. */
export const answerMergedList = <Schema extends TObject, Port, Item>(
  schema: Schema,
  list: GroupedList<Port, PageRequest<Static<Schema>>, Item>,
) => {
  const isCursor = (text: string): boolean => readPlaces(text, list.isPlace) !== undefined;
  return answerPages(schema, { ...list, isCursor }, async ({ query, limit, after }) => {
    const { items, next, incomplete } = await mergeLists({
      ports: list.groups(),
      places: (after === undefined ? undefined : readPlaces(after, list.isPlace)) ?? new Map(),
      limit,
      read: (port, place, most) => list.read(port, { query, limit: most, after: place }),
      placeOf: list.placeOfItem,
      timeOf: list.timeOf,
    });
    return { items, next: next && writePlaces(next), incomplete };
  });
};

/**
 * Names the next page in a `Link` header (RFC 8288), relative to the address that was asked for.
 *
 * @param changes the parameters that differ
 */
export const linkNextPage = (ctx: Context, changes: Readonly<Record<string, string>>): void => {
  const query = new URLSearchParams(ctx.querystring);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  ctx.set('Link', `<?${query}>; rel="next"`);
};

/** The query of a list of events, in which each item has a number and a time. */
export const historyQuerySchema = <Filters extends TProperties>(filters: Filters) =>
  listQuerySchema({
    ...filters,
    from: Type.Optional(moment({ description: 'A partir deste instante' })),
    to: Type.Optional(moment({ description: 'Antes deste instante' })),
  });

interface HistoryPage {
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  /** Only items with a smaller number. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Answers the list of events of all groups, the newest first. */
export const answerHistory = <Schema extends ReturnType<typeof historyQuerySchema>, Port, Item>(
  schema: Schema,
  list: {
    readonly groups: InGroups<Port>;
    readonly read: (
      port: Port,
      query: Static<Schema>,
      page: HistoryPage,
    ) => Promise<readonly Item[]>;
    readonly numberOf: (item: Item) => number;
    readonly timeOf: (item: Item) => Instant;
    readonly present: (item: Item) => object;
  },
) =>
  answerMergedList<Schema, Port, Item>(schema, {
    ...list,
    read: (port, { query, limit, after }) => {
      const { from, to } = query as { readonly from?: string; readonly to?: string };
      const at = (text: string | undefined) =>
        text === undefined ? undefined : parseInstant(text);
      const before = after === undefined ? undefined : Number(after);
      return list.read(port, query, { from: at(from), to: at(to), before, limit });
    },
    placeOfItem: (item: Item) => String(list.numberOf(item)),
    isPlace: isSerialNumber,
  });

/** Whether the text can be the number of a transaction or of an audit entry. */
export const isSerialNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
