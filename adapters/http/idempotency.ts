import type { TSchema } from 'typebox';
import type { Difference } from '../../application/differences.ts';
import type { Json } from '../../application/json.ts';
import type { Idempotency } from '../../application/sales/sales.ts';
import { type Refused, refused } from './answers.ts';
import type { Context } from './context.ts';

const HEADER = 'Idempotency-Key';

/** The request's name and content, where the caller named it: only what the schema knows is content. */
export const idempotencyOf = (ctx: Context, schema: TSchema, body: object): Idempotency | undefined => {
  const key = ctx.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw refused(400, `O cabeçalho ${HEADER} deve ter de 1 a 255 caracteres ASCII visíveis.`);
  return { key, content: known(schema, body) };
};

const propertiesOf = (schema: TSchema): Readonly<Record<string, TSchema>> =>
  (schema as { properties?: Record<string, TSchema> }).properties ?? {};

const known = (schema: TSchema, body: object): Json => {
  const properties = propertiesOf(schema);
  return Object.fromEntries(Object.entries(body).filter(([name]) => Object.hasOwn(properties, name)));
};

/** The answer to a key that had named something else; what touches a person is masked. */
export const conflict = (saleId: number, differences: readonly Difference[], schemas: readonly TSchema[]): Refused =>
  refused(409, `O ${HEADER} já foi usado com outro conteúdo.`, {
    transaction_id: saleId,
    differences: differences.map((each) =>
      isPersonal(each.path, schemas) ? { ...each, stored: mask(each.stored), received: mask(each.received) } : each,
    ),
  });

const isPersonal = (path: string, schemas: readonly TSchema[]): boolean => {
  const [name = ''] = path.split('.');
  return schemas.some((schema) => 'x-personal' in (propertiesOf(schema)[name] ?? {}));
};

/** The first character and stars: enough to tell two values apart in one's own records, no more. */
const mask = (value: Json): Json => {
  if (value === null) return null;
  const [first = '', ...others] = String(value);
  return others.length > 2 ? `${first}***` : '***';
};
