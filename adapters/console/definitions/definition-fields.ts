import { toReais } from '#domain';
import type { Body, Field } from '../../kit/contract/catalogue-fields.ts';
import { MAX_LEVELS } from '../../kit/contract/validation.ts';
import type { Form } from '../../kit/web/pipeline/form.ts';
import { readAmount } from '../forms.ts';

// A definition as a form has it: a body of the API, in which a text that cannot be read stays a text,
// so that what checks the body complains of it. The name of a form's field is its path in the body.

/** Whether a list has one line of a text for each item. */
export const hasLines = ({ type, item }: Field): boolean => type === 'list' && !item?.fields;

export const pathIn = (path: string, name: string): string =>
  path === '' ? name : `${path}.${name}`;

/** The fields of an object, with whether each object has them. */
export const innerFields = ({ fields, required = [] }: Field): readonly [Field, boolean][] =>
  [...(fields ?? [])].map(([domainName, field]) => [field, required.includes(domainName)]);

const NUMBER = /^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$|^-?\d+\.\d+$/;

const numberIn = (typed: string): number | string => {
  const text = typed.replace(/\s*%$/, '');
  if (!NUMBER.test(text)) return text;
  return Number(/,|\.\d{3}\b/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text);
};

const amountIn = (text: string): number | string => {
  const amount = readAmount(text);
  return amount === undefined ? text : toReais(amount);
};

const levelsOf = (text: string): number => {
  let [level, most] = [0, 0];
  for (const sign of text) {
    if (sign === '{' || sign === '[') level += 1;
    if (sign === '}' || sign === ']') level -= 1;
    most = Math.max(most, level);
  }
  return most;
};

/** What is deeper than a body of the API may be stays a text, and is complained of. */
const jsonIn = (text: string): unknown => {
  if (levelsOf(text) > MAX_LEVELS) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const flagIn = (text: string): boolean | string =>
  text === 'true' || text === 'false' ? text === 'true' : text;

const linesIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const READ: Readonly<Partial<Record<Field['type'], (text: string) => unknown>>> = {
  ...{ whole: numberIn, ppm: numberIn, cents: amountIn, json: jsonIn, flag: flagIn, list: linesIn },
};

/** The fields of a form by the parts of their names. */
interface Sent {
  readonly text?: string;
  readonly inside: Map<string, Sent>;
}

/** Parts of a name, at most: the deepest field of a definition has fewer. */
const MOST_PARTS = 10;

const sentIn = (form: Form): Sent => {
  const root: Sent = { inside: new Map() };
  for (const name of new Set(form.names())) {
    const parts = name.split('.');
    if (parts.length > MOST_PARTS) continue;
    let place: { text?: string; inside: Map<string, Sent> } = root;
    for (const part of parts) {
      const next = place.inside.get(part) ?? { inside: new Map() };
      place.inside.set(part, next);
      place = next;
    }
    place.text = form.one(name)?.replaceAll('\r\n', '\n') ?? '';
  }
  return root;
};

/** The items of a list, in order. Of too many one more than may be is read, to be complained of. */
const itemsIn = ({ inside }: Sent, { maxItems = 100 }: Field): readonly Sent[] =>
  [...inside]
    .filter(([position]) => /^\d{1,4}$/.test(position))
    .sort(([one], [other]) => Number(one) - Number(other))
    .slice(0, maxItems + 1)
    .map(([, item]) => item);

/** What a form says of a field; undefined if nothing. */
const readField = (sent: Sent | undefined, field: Field): unknown => {
  if (sent === undefined) return undefined;
  if (field.item?.fields) {
    const { item } = field;
    const items = itemsIn(sent, field).map((each) => readField(each, item) ?? {});
    return items.length > 0 ? items : undefined;
  }
  if (!field.fields) {
    const { text = '' } = sent;
    return text === '' ? undefined : (READ[field.type]?.(text) ?? text);
  }
  const entries = innerFields(field).flatMap(([inner, isRequired]) => {
    const isMissingList = isRequired && inner.type === 'list' && !inner.fallback;
    const value = readField(sent.inside.get(inner.name), inner);
    return value === undefined && !isMissingList ? [] : [[inner.name, value ?? []] as const];
  });
  const isEmpty = entries.every(([, value]) => Array.isArray(value) && value.length === 0);
  return isEmpty ? undefined : Object.fromEntries(entries);
};

/** The definition that a form says. */
export const bodyIn = (form: Form, field: Field): Body =>
  (readField(sentIn(form), field) ?? {}) as Body;

/** A value as a form shows it. */
export const textOf = (value: unknown, { type }: Pick<Field, 'type'>): string => {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (type === 'list' && Array.isArray(value)) return value.map(String).join('\n');
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
  if (!field.fields) return value === undefined ? [] : [[path, textOf(value, field)]];
  return innerFields(field).flatMap(([inner]) =>
    fieldsOf((value as Body)?.[inner.name], inner, pathIn(path, inner.name)),
  );
};

/** Changes the list at a path; a definition without that path stays as it is. */
const withList = (
  value: unknown,
  field: Field | undefined,
  [name, ...rest]: readonly string[],
  change: (list: readonly unknown[]) => readonly unknown[],
): unknown => {
  if (name === undefined)
    return field?.item?.fields ? change((value ?? []) as readonly unknown[]) : value;
  if (Array.isArray(value))
    return value.map((each, index) =>
      String(index) === name ? withList(each, field?.item, rest, change) : each,
    );
  const inner = innerFields(field ?? NO_FIELD).find(([each]) => each.name === name)?.[0];
  if (inner === undefined) return value;
  const body = (value ?? {}) as Body;
  return { ...body, [name]: withList(body[name], inner, rest, change) };
};

const NO_FIELD: Field = { name: '', type: 'object' };

/** @param path of a list */
export const addItem = (body: Body, field: Field, path: string): Body =>
  withList(body, field, path.split('.'), (list) => [...list, {}]) as Body;

/** @param path of an item */
export const removeItem = (body: Body, field: Field, path: string): Body => {
  const names = path.split('.');
  const at = Number(names.pop());
  return withList(body, field, names, (list) => list.filter((_, index) => index !== at)) as Body;
};
