import type { TSchema } from 'typebox';
import type { Json } from '#domain';
import type { Difference } from '../../../application/differences.ts';
import type { Idempotency } from '../../../application/sales/sales.ts';
import { type AnswerError, busyError, standardError } from '../contract/answer-error.ts';
import type { NestedSchemas } from '../contract/validation.ts';
import type { Exchange } from '../pipeline/context.ts';

const HEADER = 'Idempotency-Key';

/** A keyed hash of a text that must not be stored. */
export type Fingerprint = (text: string) => string;

/** How the requests of an endpoint are named, so that a repeated one can be recognised. */
export interface Naming {
  /** The header or field that holds the name. */
  readonly name: string;
  /** The name and content of a request; undefined if the caller sent no name. */
  of(
    exchange: Pick<Exchange, 'headers'>,
    schema: TSchema,
    body: object,
    fingerprint: Fingerprint,
  ): Idempotency | undefined;
}

/** Named by the client in a header. The content holds no card. */
export const BY_HEADER: Naming = {
  name: HEADER,
  of: function readKeyHeader(exchange, schema, body, fingerprint) {
    const key = exchange.headers['idempotency-key'];
    if (key === undefined) return undefined;
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
      throw standardError(
        400,
        'invalid_idempotency_key',
        `O cabeçalho ${HEADER} deve ter de 1 a 255 caracteres ASCII visíveis.`,
      );
    const content = mayHoldCards(schema)
      ? replaceCards(schema, body as Json, fingerprint)
      : (body as Json);
    return { owner: 'client', key, content };
  },
};

const schemasWithCards = new WeakMap<TSchema, boolean>();

const mayHoldCards = (schema: TSchema): boolean => {
  const found = schemasWithCards.get(schema) ?? JSON.stringify(schema).includes('"x-card"');
  schemasWithCards.set(schema, found);
  return found;
};

/** The content, with cards replaced by their fingerprints. */
const replaceCards = (schema: TSchema | undefined, value: Json, fingerprint: Fingerprint): Json => {
  const { properties = {}, items } = (schema ?? {}) as NestedSchemas;
  if (schema !== undefined && 'x-card' in schema) return fingerprint(toCanonicalJson(value));
  if (Array.isArray(value)) return value.map((each) => replaceCards(items, each, fingerprint));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      replaceCards(properties[name], field, fingerprint),
    ]),
  );
};

/** JSON with sorted keys. */
const toCanonicalJson = (value: Json): string =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort())
      : each,
  );

/** 409: the name was used before with other content. Personal data is masked. */
export const conflictError = (
  { name }: Naming,
  saleId: number,
  differences: readonly Difference[],
  schemas: readonly TSchema[],
): AnswerError =>
  standardError(409, 'content_conflict', `O ${name} já foi usado com outro conteúdo.`, {
    transaction_id: saleId,
    differences: differences.map((each) => {
      const mask = chooseMask(each.path, schemas);
      return { ...each, stored: mask(each.stored), received: mask(each.received) };
    }),
  });

export const stillRunningError = ({ name }: Naming, transactionId: number): AnswerError =>
  busyError(
    `A primeira requisição com este ${name} ainda está em andamento. Tente novamente em instantes.`,
    {
      transaction_id: transactionId,
    },
  );

/** Shows fields that a schema knows and does not mark as personal; masks all others. */
const chooseMask = (path: string, schemas: readonly TSchema[]): ((value: Json) => Json) => {
  const known = schemas
    .map((schema) => schemasAlong(schema, path.split('.')))
    .filter((found) => found !== undefined);
  const passed = known.flat();
  if (known.length === 0 || passed.some((each) => 'x-card' in each))
    return (value) => (value === null ? null : '***');
  return passed.some((each) => 'x-personal' in each)
    ? maskValue
    : (value) => (typeof value === 'object' ? maskValue(value) : value);
};

/** The schemas that a path passes through; undefined if the schema does not have the path. */
const schemasAlong = (
  schema: TSchema,
  [name, ...rest]: readonly string[],
): readonly TSchema[] | undefined => {
  if (name === undefined) return [schema];
  const { properties = {}, items } = schema as NestedSchemas;
  const next = Object.hasOwn(properties, name)
    ? properties[name]
    : /^\d+$/.test(name)
      ? items
      : undefined;
  const beyond = next === undefined ? undefined : schemasAlong(next, rest);
  return beyond === undefined ? undefined : [schema, ...beyond];
};

/** The first character and stars: the caller can find the value in its own records by it. */
const maskValue = (value: Json): Json => {
  if (value === null) return null;
  if (typeof value === 'object') return '***';
  const [first = '', ...others] = String(value);
  return others.length > 2 ? `${first}***` : '***';
};
