import type { TSchema } from 'typebox';
import { centsFromText, type Json, type JsonObject, reais } from '#domain';
import type { NestedSchemas } from '../contract/validation.ts';
import { saleBody } from '../products/integration/integration-body.ts';
import { removeFormulaGuards } from './formula-guards.ts';
import type { LineRecord, Separator } from './read-line.ts';

/** A column whose name is a path, such as `insured.name` or `coverages.0.code`. */
type Path = readonly [name: string, ...names: string[]];

/** More names than any field of a sale has. Columns beyond are unknown fields. */
const MAX_NAMES = 8;

const EXTERNAL_ID = 'externalSaleId';

/** As the channel wrote it, before a statement guarded it against spreadsheets. */
export const externalIdOfCell = (cell: string): string => removeFormulaGuards(cell);

/**
 * Turns a record of a CSV into the body of a sale. Names of columns are the dotted paths of fields.
 * Amounts may be written `1886`, `1886.00`, `1886,00` or `1.886,00`. A text that is not of its
 * field's type stays as it is, so that validation names it.
 *
 * @param attributes the schema of the product's own attributes, if the product is known
 */
export const bodyOfCells = (
  { record, separator }: LineRecord,
  attributes: JsonObject | undefined,
): Record<string, unknown> => {
  const body: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(record)) {
    const path = column.split('.').slice(0, MAX_NAMES) as unknown as Path;
    const text = column === EXTERNAL_ID ? externalIdOfCell(String(cell)) : String(cell);
    setAt(body, path, readCell(text, schemaAt(path, attributes), separator));
  }
  if (attributes !== undefined && body['attributes'] !== undefined)
    body['attributes'] = withLists(body['attributes'], attributes as TSchema);
  return withLists(body, saleBody) as Record<string, unknown>;
};

/** Sets an own field, whatever its name. */
const setAt = (target: Record<string, unknown>, [name, ...rest]: Path, value: Json): void => {
  const [next, ...others] = rest;
  const found = Object.hasOwn(target, name) ? target[name] : undefined;
  const inner = typeof found === 'object' ? found : {};
  if (next !== undefined) setAt(inner as Record<string, unknown>, [next, ...others], value);
  const field = { value: next === undefined ? value : inner };
  Object.defineProperty(target, name, {
    ...field,
    enumerable: true,
    writable: true,
    configurable: true,
  });
};

/** The schema of the field at a path; undefined for an unknown field. */
const schemaAt = (
  [first, ...rest]: Path,
  attributes: JsonObject | undefined,
): TSchema | undefined => {
  const start =
    first === 'attributes' ? (attributes as TSchema | undefined) : fieldOf(saleBody, first);
  return rest.reduce<TSchema | undefined>((schema, name) => schema && fieldOf(schema, name), start);
};

const fieldOf = (schema: TSchema, name: string): TSchema | undefined => {
  const { properties = {}, items } = schema as NestedSchemas;
  if (items !== undefined) return items;
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
};

const readCell = (
  text: string,
  schema: TSchema | undefined,
  separator: Separator | undefined,
): Json => {
  switch ((schema as { readonly type?: unknown } | undefined)?.type) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text;
    case 'number':
      return readNumber(text.trim(), schema as { readonly format?: unknown }, separator) ?? text;
    case 'boolean':
      return BOOLEANS.get(text.trim().toLowerCase()) ?? text;
    default:
      return text;
  }
};

/**
 * An amount, as `centsFromText` reads it: with two decimals at most, because `1.500` is a thousand
 * to some people. Or another number, with a comma where semicolons separate the cells.
 */
const readNumber = (
  text: string,
  { format }: { readonly format?: unknown },
  separator: Separator | undefined,
): number | undefined => {
  const cents = centsFromText(text);
  if (cents !== undefined) return reais(cents);
  if (format === 'money') return undefined;
  const isNumber = separator === ';' ? /^-?\d+(,\d+)?$/ : /^-?\d+(\.\d+)?$/;
  return isNumber.test(text) ? Number(text.replace(',', '.')) : undefined;
};

const BOOLEANS = new Map([
  ...['true', 'sim', 'verdadeiro'].map((word) => [word, true] as const),
  ...['false', 'não', 'nao', 'falso'].map((word) => [word, false] as const),
]);

/** Turns the objects with numbers as names (`coverages.0`) into lists, where the schema has lists. */
const withLists = (value: unknown, schema: TSchema): unknown => {
  const { properties = {}, items } = schema as NestedSchemas;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (items !== undefined)
    return entries.every(([name]) => /^\d+$/.test(name)) ? entries.map(([, each]) => each) : value;
  for (const [name, field] of Object.entries(properties)) {
    const fields = value as Record<string, unknown>;
    if (Object.hasOwn(fields, name)) fields[name] = withLists(fields[name], field);
  }
  return value;
};
