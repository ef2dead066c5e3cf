import { centsFromText, toReais } from '#domain';
import type { Body, Field } from '../../kit/contract/catalogue-fields.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';

// A definition as a form has it: a body of the API, in which a text that cannot be read stays a text,
// so that what checks the body complains of it. The name of a form's field is its path in the body.

/** Whether a list has one line of a text for each item. */
export const hasLines = ({ type, item }: Field): boolean => type === 'list' && !item?.fields;

export const pathIn = (path: string, name: string | number): string =>
  path === '' ? String(name) : `${path}.${name}`;

/** The fields of an object, with whether each object has them. */
export const innerFields = ({ fields, required = [] }: Field): readonly [Field, boolean][] =>
  [...(fields ?? [])].map(([domainName, field]) => [field, required.includes(domainName)]);

const NUMBER = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$|^-?\d+\.\d+$/;

const numberIn = (text: string): number | string => {
  if (!NUMBER.test(text)) return text;
  return Number(/,|\.\d{3}\b/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text);
};

const amountIn = (text: string): number | string => {
  const amount = centsFromText(text);
  return amount === undefined ? text : toReais(amount);
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const READ: Readonly<Partial<Record<Field['type'], (text: string) => unknown>>> = {
  whole: numberIn,
  ppm: numberIn,
  cents: amountIn,
  json: jsonIn,
  flag: (text) => ({ true: true, false: false })[text] ?? text,
  list: (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
};

const readOne = (field: Field, text: string): unknown =>
  text === '' ? undefined : (READ[field.type]?.(text) ?? text);

/** The positions that a form has in a list, in order. */
const positionsIn = (names: readonly string[], path: string): readonly number[] => {
  const start = `${path}.`;
  const found = names
    .filter((name) => name.startsWith(start))
    .map((name) => Number(name.slice(start.length).split('.')[0]));
  return [...new Set(found)].filter(Number.isInteger).sort((one, other) => one - other);
};

/** What a form says of a field; undefined if nothing. */
const readField = (form: Form, field: Field, path: string): unknown => {
  if (field.item?.fields) {
    const { item } = field;
    const positions = positionsIn(form.names(), path);
    const items = positions.map((at) => readField(form, item, `${path}.${at}`) ?? {});
    return items.length > 0 ? items : undefined;
  }
  if (!field.fields) return readOne(field, form.one(path)?.replaceAll('\r\n', '\n') ?? '');
  const entries = innerFields(field).flatMap(([inner, isRequired]) => {
    const isMissingList = isRequired && inner.type === 'list' && !inner.fallback;
    const value = readField(form, inner, pathIn(path, inner.name));
    return value === undefined && !isMissingList ? [] : [[inner.name, value ?? []] as const];
  });
  const isEmpty = entries.every(([, value]) => Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : Object.fromEntries(entries);
};

/** The definition that a form says. */
export const bodyIn = (form: Form, field: Field): Body =>
  (readField(form, field, '') ?? {}) as Body;

/** A value as a form shows it. */
export const textOf = (value: unknown): string => {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (Array.isArray(value)) return value.map(String).join('\n');
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
};

/** An answer of the API with the long form of every field: forms have no other. */
export const inLongForm = (value: unknown, field: Field, whole: Body): unknown => {
  if (Array.isArray(value) && field.item)
    return value.map((each) => inLongForm(each, field.item as Field, whole));
  if (!field.fields || typeof value !== 'object' || value === null) return value;
  const body = value as Body;
  const entries = innerFields(field).flatMap(([inner]) => {
    const short = inner.short && body[inner.short.name];
    const long = short === undefined ? body[inner.name] : inner.short?.expand(short, whole);
    return long === undefined ? [] : [[inner.name, inLongForm(long, inner, whole)] as const];
  });
  return Object.fromEntries(entries);
};

/** The fields of a form that says the definition. */
export const fieldsOf = (value: unknown, field: Field, path = ''): readonly [string, string][] => {
  if (field.item?.fields)
    return ((value ?? []) as readonly unknown[]).flatMap((each, at) =>
      fieldsOf(each, field.item as Field, `${path}.${at}`),
    );
  if (!field.fields) return value === undefined ? [] : [[path, textOf(value)]];
  return innerFields(field).flatMap(([inner]) =>
    fieldsOf((value as Body)?.[inner.name], inner, pathIn(path, inner.name)),
  );
};

/** Changes the list at a path. What is no list becomes one. */
const withList = (
  body: Body,
  [name = '', ...rest]: readonly string[],
  change: (list: readonly unknown[]) => readonly unknown[],
): Body => {
  const value = body[name];
  if (Array.isArray(body) && value === undefined) return body;
  const next =
    rest.length === 0
      ? change(Array.isArray(value) ? value : [])
      : withList((value ?? {}) as Body, rest, change);
  return Array.isArray(body)
    ? (Object.assign([...body], { [name]: next }) as unknown as Body)
    : { ...body, [name]: next };
};

/** @param path of a list */
export const addItem = (body: Body, path: string): Body =>
  withList(body, path.split('.'), (list) => [...list, {}]);

/** @param path of an item */
export const removeItem = (body: Body, path: string): Body => {
  const names = path.split('.');
  const at = Number(names.pop());
  return withList(body, names, (list) => list.filter((_, index) => index !== at));
};
