import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { type Instant, parseInstant } from '#domain';
import { type Faults, type Refused, refused } from '../contract/answer-error.ts';
import type { Context, Step } from './context.ts';
import { FORMATS, moment } from '../contract/formats.ts';
import { valueOr } from '../contract/validation.ts';

/** Faults of fields in the house style. */
export const invalid = (errors: Faults): Refused =>
  refused(422, Object.values(errors)[0]?.[0] ?? 'Requisição inválida.', { errors });

/** Parameters of a query, at most: Koa takes a time for them that grows with their square. */
const MOST_PARAMETERS = 64;

export const limitQuery: Step = (ctx, next) => {
  if (ctx.querystring.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    throw refused(400, `A consulta tem mais de ${MOST_PARAMETERS} parâmetros.`);
  return next();
};

/** For routes that take no query: a typo must not pass silently. */
export const withoutQuery: Step = (ctx, next) => {
  const names = Object.keys(ctx.query);
  if (names.length > 0)
    throw invalid(
      Object.fromEntries(names.map((name) => [name, [`O campo ${name} não é conhecido.`]])),
    );
  return next();
};

/** Reads a query in which nothing may be said twice: which of the two was meant, nobody knows. */
export const singleQuery = <Schema extends TObject>(
  schema: Schema,
): ((query: Context['query']) => Static<Schema>) => {
  const queryOf = valueOr(schema, invalid);
  return (query) => {
    const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
    if (repeated.length > 0)
      throw invalid(
        Object.fromEntries(
          repeated.map((name) => [name, [`O campo ${name} foi informado mais de uma vez.`]]),
        ),
      );
    return queryOf(query);
  };
};

/** So many items are on a page when the query does not say. */
const USUAL_LIMIT = 50;

/** The parameters of a list: its filters, how many, and from where on. */
export const listQuery = <Filters extends TProperties>(filters: Filters) =>
  Type.Object(
    {
      ...filters,
      limit: Type.Optional(
        Type.String({ format: 'page-limit', description: `De 1 a 200. Padrão: ${USUAL_LIMIT}` }),
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

export const listAnswer = <Item extends TObject>(item: Item) =>
  Type.Object({
    success: Type.Literal(true),
    response: Type.Object({
      data: Type.Array(item),
      next_cursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Nulo na última página',
      }),
    }),
  });

/** A place in a list, as its caller carries it from page to page. */
const cursorTo = (place: string): string => Buffer.from(place).toString('base64url');
const placeOf = (cursor: string): string => Buffer.from(cursor, 'base64url').toString();

/** Reads one page: what was asked for, `limit` with one more to see whether there are others, and the place it begins after. */
export interface PageRequest<Query> {
  readonly query: Query;
  readonly limit: number;
  readonly after: string | undefined;
}

type ListQuery = { readonly limit?: string; readonly cursor?: string };

/** Answers a list, page by page. `placeOfItem` names an item's place; `isPlace` knows a place when it sees one. */
export const answerList = <Schema extends TObject, Item>(
  schema: Schema,
  list: {
    readonly read: (page: PageRequest<Static<Schema>>, ctx: Context) => Promise<readonly Item[]>;
    readonly placeOfItem: (item: Item) => string;
    readonly isPlace: (place: string) => boolean;
    readonly present: (item: Item) => object;
    /** Absent: as administrative answers are. */
    readonly wrap?: (page: object) => object;
  },
) => {
  const queryOf = singleQuery(schema);
  const { wrap = (page) => ({ success: true, response: page }) } = list;
  return async (ctx: Context): Promise<void> => {
    const query = queryOf(ctx.query);
    const { limit: asked = USUAL_LIMIT, cursor } = query as ListQuery;
    const limit = Number(asked);
    const after = cursor === undefined ? undefined : placeOf(cursor);
    if (after !== undefined && !list.isPlace(after))
      throw invalid({ cursor: [`O campo cursor ${FORMATS.cursor.complaint}.`] });
    const found = await list.read({ query, limit: limit + 1, after }, ctx);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      found.length > limit && last !== undefined ? cursorTo(list.placeOfItem(last)) : null;
    ctx.body = wrap({ data: page.map(list.present), next_cursor: nextCursor });
  };
};

/** The parameters of a list of what happened, in which everything has a number and a time. */
export const historyQuery = <Filters extends TProperties>(filters: Filters) =>
  listQuery({
    ...filters,
    from: Type.Optional(moment({ description: 'A partir deste instante' })),
    to: Type.Optional(moment({ description: 'Antes deste instante' })),
  });

interface HistoryPage {
  readonly from: Instant | undefined;
  readonly to: Instant | undefined;
  /** Only what has a smaller number. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Answers a list of what happened, the newest first. */
export const answerHistory = <Schema extends ReturnType<typeof historyQuery>, Item>(
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

/** A number that could be a transaction's or an entry's. */
export const isSerialNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
