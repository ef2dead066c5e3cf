import type { TSchema } from 'typebox';
import { CHANNEL_TEXTS, centsFromText, type Json, type JsonObject, toReais } from '#domain';
import { invalidFields } from '../../kit/contract/answer-error.ts';
import { isTaxId } from '../../kit/contract/domain-values.ts';
import type { NestedSchemas } from '../../kit/contract/formats.ts';
import { removeFormulaGuards } from '../../kit/sheets/formula-guards.ts';
import type { LineRecord, Separator } from '../../kit/sheets/read-line.ts';
import { findSpoiltCells } from '../../kit/sheets/spoilt-cells.ts';
import { saleBody } from '../generic/generic-body.ts';

/** A column whose name is a path, such as `insured.name` or `coverages.0.code`. */
type Path = readonly [name: string, ...names: string[]];

/** More names than any field of a sale has. Columns beyond are unknown fields. */
const MAX_NAMES = 8;

/** Texts that a statement guards against spreadsheets. */
const GUARDED: ReadonlySet<string> = new Set(['externalSaleId', ...CHANNEL_TEXTS]);

/** The name as the channel wrote it, before a statement guarded it against spreadsheets. */
export const externalIdOfCell = (cell: string): string => removeFormulaGuards(cell);

/**
 * Turns a record of a CSV into the body of a sale. Names of columns are the dotted paths of fields.
 * Amounts may be written `1886`, `1886.00`, `1886,00` or `R$ 1.886,00`, days `20/11/2026`. A text
 * that is not of its field's type stays as it is, so that validation names it.
 *
 * @param attributes the schema of the product's own attributes, if the product is known
 * @throws AnswerError 422 for cells that the spreadsheet has spoilt
 */
export const bodyOfCells = (
  { record, separator }: LineRecord,
  attributes: JsonObject | undefined,
): Record<string, unknown> => {
  const spoilt = findSpoiltCells(record);
  if (Object.keys(spoilt).length > 0) throw invalidFields(spoilt);
  const body: Record<string, unknown> = {};
  for (const [column, cell] of Object.entries(record)) {
    const path = column.split('.').slice(0, MAX_NAMES) as unknown as Path;
    const text = GUARDED.has(column) ? removeFormulaGuards(String(cell)) : String(cell);
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
      return (
        readNumber(amountOfCell(text), schema as { readonly format?: unknown }, separator) ?? text
      );
    case 'boolean':
      return BOOLEANS.get(text.trim().toLowerCase()) ?? text;
    default:
      return readText(text, schema);
  }
};

/** A text, as a spreadsheet shows values of its format. */
const readText = (text: string, schema: TSchema | undefined): string => {
  const { format, enum: words } = (schema ?? {}) as {
    readonly format?: string;
    readonly enum?: readonly unknown[];
  };
  const word = text.trim().toLowerCase();
  if (words?.includes(word)) return word;
  const read = format === undefined ? undefined : READERS.get(format);
  return read?.(text.trim()) ?? text;
};

/** `20/11/2026`, also with a time in Brasília; undefined: it is written in another way. */
const readDay = (text: string): string | undefined => {
  const [, day, month, year, time] =
    /^(\d\d?)\/(\d\d?)\/(\d{4})(?:\s+(\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  if (day === undefined || month === undefined) return undefined;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (time === undefined) return date;
  return `${date}T${time.length === 5 ? `${time}:00` : time}-03:00`;
};

/** A tax id that has lost its leading zeros, because the spreadsheet took it for a number. */
const readTaxId = (text: string): string | undefined => {
  if (!/^\d{1,13}$/.test(text)) return undefined;
  return [11, 14].map((length) => text.padStart(length, '0')).find(isTaxId);
};

const readPostcode = (text: string): string => text.replace('-', '').padStart(8, '0');

const READERS = new Map<string, (text: string) => string | undefined>([
  ['date', readDay],
  ['date-time', readDay],
  ['date-or-time', readDay],
  ['tax-id', readTaxId],
  ['cpf-cnpj', readTaxId],
  ['postcode', readPostcode],
]);

/** An amount as spreadsheets show it: `R$ 1.234,56`. */
export const amountOfCell = (text: string): string => text.replace(/^\s*R\$\s*/i, '').trim();

/**
 * An amount, as `centsFromText` reads it: with two decimals at most, because `1.500` is a thousand
 * to some people. Or another number, with a comma where another sign separates the cells.
 */
const readNumber = (
  text: string,
  { format }: { readonly format?: unknown },
  separator: Separator | undefined,
): number | undefined => {
  const cents = centsFromText(text);
  if (cents !== undefined) return toReais(cents);
  if (format === 'money') return undefined;
  const isNumber = separator === ',' ? /^-?\d+(\.\d+)?$/ : /^-?\d+(,\d+)?$/;
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
