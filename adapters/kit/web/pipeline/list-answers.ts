import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { type Instant, parseInstant } from '#domain';
import { complainOfFormat } from '../../contract/complaints.ts';
import { moment } from '../../contract/formats.ts';
import type { Context } from './context.ts';
import { compileQueryReader } from './request-query.ts';

/** Items on a page if the query has no `limit`. */
export const DEFAULT_PAGE_SIZE = 50;

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
          maxLength: 300,
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
  /** One more than the page shows: the extra item tells whether another page follows. */
  readonly limit: number;
  /** The position of the last item of the previous page. */
  readonly after: string | undefined;
}

type ListQuery = { readonly limit?: string; readonly cursor?: string };

/** Answers a list, page by page. */
export const answerList = <Schema extends TObject, Item>(
  schema: Schema,
  list: {
    readonly read: (page: PageRequest<Static<Schema>>, ctx: Context) => Promise<readonly Item[]>;
    readonly placeOfItem: (item: Item) => string;
    readonly isPlace: (text: string) => boolean;
    readonly present: (item: Item) => object;
    /** If absent, the page is wrapped as `listAnswerSchema` says. */
    readonly wrap?: (page: object) => object;
  },
) => {
  const readQuery = compileQueryReader(schema, (query) => {
    const { cursor } = query as ListQuery;
    return cursor === undefined || list.isPlace(decodeCursor(cursor))
      ? {}
      : { cursor: [complainOfFormat('cursor', 'cursor')] };
  });
  const { wrap = (page) => ({ success: true, response: page }) } = list;

  return async function answerPage(ctx: Context): Promise<void> {
    const query = readQuery(ctx.query, ctx);
    const { limit: sentLimit = DEFAULT_PAGE_SIZE, cursor } = query as ListQuery;
    const limit = Number(sentLimit);
    const after = cursor === undefined ? undefined : decodeCursor(cursor);

    const found = await list.read({ query, limit: limit + 1, after }, ctx);

    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      found.length > limit && last !== undefined ? encodeCursor(list.placeOfItem(last)) : null;
    if (nextCursor !== null) linkNextPage(ctx, { cursor: nextCursor });
    ctx.body = wrap({ data: page.map(list.present), next_cursor: nextCursor });
  };
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

/** Answers a list of events, the newest first. */
export const answerHistory = <Schema extends ReturnType<typeof historyQuerySchema>, Item>(
  schema: Schema,
  list: {
    readonly read: (query: Static<Schema>, page: HistoryPage) => Promise<readonly Item[]>;
    readonly numberOf: (item: Item) => number;
    readonly present: (item: Item) => object;
  },
) =>
  answerList(schema, {
    read: ({ query, limit, after }) => {
      const { from, to } = query as { readonly from?: string; readonly to?: string };
      const at = (text: string | undefined) =>
        text === undefined ? undefined : parseInstant(text);
      const before = after === undefined ? undefined : Number(after);
      return list.read(query, { from: at(from), to: at(to), before, limit });
    },
    placeOfItem: (item: Item) => String(list.numberOf(item)),
    isPlace: isSerialNumber,
    present: list.present,
  });

/** Whether the text can be the number of a transaction or of an audit entry. */
export const isSerialNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
