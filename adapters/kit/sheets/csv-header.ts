import type { TSchema } from 'typebox';
import { type AnswerError, standardError } from '../contract/answer-error.ts';
import type { NestedSchemas } from '../contract/formats.ts';

/** The columns that a table may have. */
export interface KnownColumns {
  /** The column that a header means, whatever its capitals and blanks; undefined if it means none. */
  find(header: string): string | undefined;
  /** Groups of columns; at least one column of each group must be there. */
  readonly needed: readonly (readonly string[])[];
}

const MAX_COLUMNS = 500;

/** Columns that a complaint names. */
const MAX_NAMED = 20;

/** The name without what people write in other ways: capitals, accents, blanks, `_` and `-`. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{White_Space}\p{Default_Ignorable_Code_Point}_-]/gu, '')
    .toLowerCase();

const fieldsOf = (schema: TSchema): NestedSchemas & { readonly required?: readonly string[] } =>
  schema as NestedSchemas;

/** The name of a field by the path that a header writes; undefined: the schema has none. */
const pathIn = (schema: TSchema, [name = '', ...rest]: readonly string[]): string | undefined => {
  const { properties, items } = fieldsOf(schema);
  const isPlace = items !== undefined && /^\d{1,3}$/.test(name.trim());
  const own = isPlace
    ? name.trim()
    : Object.keys(properties ?? {}).find((each) => plain(each) === plain(name));
  const field = isPlace ? items : properties?.[own ?? ''];
  if (own === undefined || field === undefined) return undefined;
  const isOpen = fieldsOf(field).properties === undefined && fieldsOf(field).items === undefined;
  if (rest.length === 0) return own;
  // The product's own schema knows the fields of `attributes`.
  const inner = isOpen && isObject(field) ? rest.join('.').trim() : pathIn(field, rest);
  return inner === undefined ? undefined : `${own}.${inner}`;
};

const isObject = (schema: TSchema): boolean =>
  (schema as { readonly type?: unknown }).type === 'object';

const neededIn = (schema: TSchema, before = ''): readonly (readonly string[])[] => {
  const { properties = {}, required = [] } = fieldsOf(schema);
  return required.flatMap((name) => {
    const field = properties[name] as TSchema;
    const inner = Object.keys(fieldsOf(field).properties ?? {});
    const needed = neededIn(field, `${before}${name}.`);
    if (inner.length === 0) return [[`${before}${name}`]];
    // An object without a needed field, such as a reference, needs any of them.
    return needed.length > 0 ? needed : [inner.map((each) => `${before}${name}.${each}`)];
  });
};

/** The columns of a table whose records have the fields of a schema. */
export const columnsOf = (schema: TSchema): KnownColumns => ({
  find: (header) => pathIn(schema, header.split('.')),
  needed: neededIn(schema),
});

const list = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMED)
    .map((name) => name.slice(0, 100))
    .join(', ') + (names.length > MAX_NAMED ? ` e mais ${names.length - MAX_NAMED}` : '');

/** 400: why the first line does not name the columns. */
export const invalidHeader = (...reasons: readonly string[]): AnswerError =>
  standardError(
    400,
    'invalid_csv',
    `O cabeçalho do CSV não pode ser lido. ${reasons.join(' ')} A primeira linha deve ter os nomes das colunas.`,
  );

/**
 * The columns that the cells of the first line name. Cells without a name stay so.
 *
 * @throws AnswerError 400 that names everything that is wrong
 */
export const readHeader = (
  cells: readonly string[],
  known: KnownColumns | undefined,
): readonly string[] => {
  if (cells.length > MAX_COLUMNS) throw invalidHeader(`Há mais de ${MAX_COLUMNS} colunas.`);
  const headers = cells.map((cell) => cell.trim());
  const columns = headers.map((name) => (name === '' ? '' : (known?.find(name) ?? name)));
  const named = columns.filter((name) => name !== '');
  const reasons: string[] = [];
  const repeated = new Set(named.filter((name, at) => named.indexOf(name) !== at));
  if (repeated.size > 0) reasons.push(`Aparecem mais de uma vez: ${list([...repeated])}.`);
  const parents = named.filter((name) => named.some((each) => each.startsWith(`${name}.`)));
  if (parents.length > 0) reasons.push(`Contradizem outras, dentro delas: ${list(parents)}.`);
  if (known !== undefined) {
    const unknown = headers.filter((name) => name !== '' && known.find(name) === undefined);
    if (unknown.length > 0) reasons.push(`Colunas desconhecidas: ${list(unknown)}.`);
    const missing = known.needed.filter((group) => !group.some((name) => named.includes(name)));
    if (missing.length > 0)
      reasons.push(`Faltam colunas: ${list(missing.map((group) => group.join(' ou ')))}.`);
  }
  if (reasons.length > 0) throw invalidHeader(...reasons);
  return columns;
};
