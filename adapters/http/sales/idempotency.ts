import Type, { type TSchema } from 'typebox';
import { holdsCardNumber, type Json, type JsonObject, parseExternalSaleId } from '#domain';
import { cardMark } from '../../../application/sales/card-mark.ts';
import type { KeyReused, StillRunning } from '../../../application/sales/sale-refusals.ts';
import type { ContentRules, Idempotency } from '../../../application/sales/sale-request.ts';
import { type AnswerError, busyError, standardError } from '../../kit/contract/answer-error.ts';
import { formatted, type NestedSchemas } from '../../kit/contract/formats.ts';
import { compileUsualForm, toUsual } from '../../kit/contract/tidy-values.ts';
import type { Exchange } from '../../kit/web/pipeline/context.ts';

const HEADER = 'Idempotency-Key';

/** A keyed hash of a text that must not be stored. */
export type Fingerprint = (text: string) => string;

/**
 * Makes the function that reads how a request with such a body is named, so that a repeated one can
 * be recognised: its name and its content without cards. Undefined if the caller sent no name.
 */
export type Naming = (
  schema: TSchema,
  fingerprint: Fingerprint,
) => (exchange: Pick<Exchange, 'headers'>, body: object) => Idempotency | undefined;

const invalidKey = (complaint: string): AnswerError =>
  standardError(400, 'invalid_idempotency_key', `O cabeçalho ${HEADER} ${complaint}.`);

/** @throws AnswerError if the header is not 1 to 255 visible ASCII characters. */
export const readKeyHeader = ({ headers }: Pick<Exchange, 'headers'>): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidKey('deve ter de 1 a 255 caracteres ASCII visíveis');
  if (holdsCardNumber(key))
    throw invalidKey('contém um número de cartão, que não pode ser guardado');
  return key;
};

/** The channel's own name of the sale, in a body of any endpoint that sells. */
export const externalSaleIdField = (description: string) =>
  formatted('external-sale-id', {
    title: 'ExternalSaleId',
    minLength: 1,
    maxLength: 100,
    description,
  });

export const OPTIONAL_EXTERNAL_ID = Type.Optional(
  externalSaleIdField('O nome da venda no canal, único entre todos os endereços de venda'),
);

interface Named {
  readonly externalSaleId?: string;
}

/**
 * Named by the client in the header, by the channel in the body, or by both. The body's name is the
 * sale's: a repetition of it needs no header.
 */
export const nameByHeaderOrBody: Naming = (schema, fingerprint) => {
  const rules = compileRules(schema);
  const mayHoldCards = JSON.stringify(schema).includes('"x-card"');

  return function nameByHeaderOrBody(exchange, body) {
    const requestKey = readKeyHeader(exchange);
    const { externalSaleId } = body as Named;
    if (requestKey === undefined && externalSaleId === undefined) return undefined;

    const content = mayHoldCards ? replaceCards(schema, body as Json, fingerprint) : (body as Json);
    return externalSaleId === undefined
      ? { owner: 'client', key: requestKey as string, content, rules }
      : nameByBody(externalSaleId, content as object, rules, requestKey);
  };
};

/** Named by the channel in the body. The header has no effect. */
export const nameByBodyAlone: Naming = (schema) => {
  const rules = compileRules(schema);

  return function nameByBodyAlone(_exchange, body) {
    // `channelLink` is no content: it always is the caller's own, sent or not.
    const { channelLink: _own, ...content } = body as { readonly channelLink?: string };
    return nameByBody((body as Required<Named>).externalSaleId, content, rules);
  };
};

const nameByBody = (
  name: string,
  body: object,
  rules: ContentRules,
  requestKey?: string,
): Idempotency => {
  const { externalSaleId: _name, ...content } = body as JsonObject & Named;
  // An empty list or object means the same as an absent field.
  const nonEmpty = Object.entries(content).filter(
    ([, value]) => typeof value !== 'object' || Object.keys(value as object).length > 0,
  );
  return {
    owner: 'channel',
    key: parseExternalSaleId(name) as string,
    ...(requestKey !== undefined && { requestKey }),
    content: Object.fromEntries(nonEmpty) as JsonObject,
    rules,
  };
};

/** The fields of all bodies that name a part of a sale which can be named in several ways. */
const PARTS: Readonly<Record<string, ReturnType<ContentRules['partAt']>>> = {
  productId: 'product',
  product: 'product',
  type: 'product',
  plan: 'plan',
  insurance: 'coverages',
  coverages: 'coverages',
};

const compileRules = (schema: TSchema): ContentRules => ({
  usual: compileUsualForm(schema),
  partAt: (path) => PARTS[path.split('.')[0] as string],
});

const NAMES = { client: HEADER, channel: 'externalSaleId' } as const;

/** What may be compared of a card: not its security code, which is kept nowhere (PCI DSS 3.3.1). */
const withoutCode = (card: Json): Json => {
  const { cvv: _, flag = '', ...rest } = card as JsonObject;
  return { ...rest, flag: String(flag).toLowerCase() };
};

/** The content, with cards replaced by marks, which are erased after a day. */
const replaceCards = (schema: TSchema | undefined, value: Json, fingerprint: Fingerprint): Json => {
  const { properties = {}, items } = (schema ?? {}) as NestedSchemas;
  if (schema !== undefined && 'x-card' in schema)
    return cardMark(fingerprint(toCanonicalJson(withoutCode(toUsual(schema, value)))));
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
  { owner, saleId, differences }: Pick<KeyReused, 'owner' | 'saleId' | 'differences'>,
  schemas: readonly TSchema[],
): AnswerError =>
  standardError(409, 'content_conflict', `O ${NAMES[owner]} já foi usado com outro conteúdo.`, {
    transaction_id: saleId,
    differences: differences.map((each) => {
      const mask = chooseMask(each.path, schemas);
      const [stored, received] = [mask(each.stored), mask(each.received)];
      return { ...each, stored, received: received === stored ? `${received} (outro)` : received };
    }),
  });

export const stillRunningError = ({ owner, saleId }: StillRunning): AnswerError =>
  busyError(
    `A primeira requisição com este ${NAMES[owner]} ainda está em andamento. Tente novamente em instantes.`,
    { transaction_id: saleId },
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
