import type { TSchema } from 'typebox';
import type { Json } from '#domain';
import type { Difference } from '../../../application/differences.ts';
import type { Idempotency } from '../../../application/sales/sales.ts';
import { type Refused, refused } from '../contract/answer-error.ts';
import type { Context } from '../pipeline/context.ts';
import type { Described } from '../contract/validation.ts';
import { busy } from './sale-answer-parts.ts';

const HEADER = 'Idempotency-Key';

/** Stands for a text that must not be kept: the same for the same text, and telling nothing of it without a key. */
export type Fingerprint = (text: string) => string;

/** How requests of an endpoint are named. */
export interface Naming {
  /** As callers know it. */
  readonly name: string;
  /** The request's name and content, where the caller named it. */
  of(
    ctx: Context,
    schema: TSchema,
    body: object,
    fingerprint: Fingerprint,
  ): Idempotency | undefined;
}

/** By the client, in a header. No card is content. */
export const BY_HEADER: Naming = {
  name: HEADER,
  of: (ctx, schema, body, fingerprint) => {
    const key = ctx.headers['idempotency-key'];
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
      throw refused(400, `O cabeçalho ${HEADER} deve ter de 1 a 255 caracteres ASCII visíveis.`);
    const content = mayHoldCards(schema)
      ? withoutCards(schema, body as Json, fingerprint)
      : (body as Json);
    return { owner: 'client', key, content };
  },
};

const known = new WeakMap<TSchema, boolean>();

const mayHoldCards = (schema: TSchema): boolean => {
  const found = known.get(schema) ?? JSON.stringify(schema).includes('"x-card"');
  known.set(schema, found);
  return found;
};

/** The content, cards replaced by what stands for them. */
const withoutCards = (schema: TSchema | undefined, value: Json, fingerprint: Fingerprint): Json => {
  const { properties = {}, items } = (schema ?? {}) as Described;
  if (schema !== undefined && 'x-card' in schema) return fingerprint(canonical(value));
  if (Array.isArray(value)) return value.map((each) => withoutCards(items, each, fingerprint));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      withoutCards(properties[name], field, fingerprint),
    ]),
  );
};

/** Key order does not count. */
const canonical = (value: Json): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort())
      : each,
  );

/** The answer to a key that had named something else; what touches a person is masked. */
export const conflict = (
  { name }: Naming,
  saleId: number,
  differences: readonly Difference[],
  schemas: readonly TSchema[],
): Refused =>
  refused(409, `O ${name} já foi usado com outro conteúdo.`, {
    transaction_id: saleId,
    differences: differences.map((each) => {
      const masked = maskFor(each.path, schemas);
      return { ...each, stored: masked(each.stored), received: masked(each.received) };
    }),
  });

export const stillRunning = ({ name }: Naming, transactionId: number): Refused =>
  busy(
    `A primeira requisição com este ${name} ainda está em andamento. Tente novamente em instantes.`,
    {
      transaction_id: transactionId,
    },
  );

/** Only what a schema of this endpoint knows to be nobody's business but the sale's is shown as it is. */
const maskFor = (path: string, schemas: readonly TSchema[]): ((value: Json) => Json) => {
  const known = schemas
    .map((schema) => along(schema, path.split('.')))
    .filter((found) => found !== undefined);
  const passed = known.flat();
  if (known.length === 0 || passed.some((each) => 'x-card' in each))
    return (value) => (value === null ? null : '***');
  return passed.some((each) => 'x-personal' in each)
    ? mask
    : (value) => (typeof value === 'object' ? mask(value) : value);
};

/** The schemas that a path passes through; undefined where it leads nowhere. */
const along = (
  schema: TSchema,
  [name, ...rest]: readonly string[],
): readonly TSchema[] | undefined => {
  if (name === undefined) return [schema];
  const { properties = {}, items } = schema as Described;
  const next = Object.hasOwn(properties, name)
    ? properties[name]
    : /^\d+$/.test(name)
      ? items
      : undefined;
  const beyond = next === undefined ? undefined : along(next, rest);
  return beyond === undefined ? undefined : [schema, ...beyond];
};

/** The first character and stars: enough to tell two values apart in one's own records, no more. */
const mask = (value: Json): Json => {
  if (value === null) return null;
  if (typeof value === 'object') return '***';
  const [first = '', ...others] = String(value);
  return others.length > 2 ? `${first}***` : '***';
};
