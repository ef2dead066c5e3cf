import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { TOO_MUCH_MATCHING } from '../../../application/catalogue/attribute-schemas.ts';
import type { Faults } from './answer-error.ts';
import { FORMATS, type FormatName } from './formats.ts';

const newAjv = (options: Options): Ajv => {
  const ajv = new Ajv({ strict: true, ...options });
  ajv.addKeyword('x-personal');
  ajv.addKeyword('x-card');
  for (const [name, { format }] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  return ajv;
};

/** More faults than this are not listed: a hostile body could ask for very many. */
export const MOST_FAULTS = 100;

/** Ends at the first fault: the cheap way to find that there is none. */
const deciding = newAjv({});

/** Finds all faults. Ajv builds an object for each: at the last one that is listed, the search ends with those found so far. */
const collecting = newAjv({
  allErrors: true,
  code: {
    process: (code) =>
      code.replaceAll('errors++;', `if (++errors >= ${MOST_FAULTS}) throw vErrors;`),
  },
});

const errorsFound = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] => {
  try {
    validate(value);
    return validate.errors ?? [];
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  }
};

/** Values and levels of a whole body, at most: more than any request needs, and little enough to be looked at in a millisecond. */
const MOST_VALUES = 30_000;
const MOST_LEVELS = 64;

/** Characters of a field's name that are shown back. */
const LONGEST_SHOWN = 100;

interface Looked<Schema extends TSchema> {
  readonly faults: Faults;
  /** What stands in the fields without fault. */
  readonly sound: Partial<Static<Schema>>;
  /** All that was given, whatever is wrong with it. */
  readonly given: Readonly<Record<string, unknown>>;
}

export type Checked<Schema extends TSchema> =
  | (Looked<Schema> & { readonly ok: true; readonly value: Static<Schema> })
  | (Looked<Schema> & { readonly ok: false });

/** Checks a body against a schema: the value, or every fault by field, and what stands in the fields without fault. */
export const validator = <Schema extends TSchema>(
  schema: Schema,
): ((body: object) => Checked<Schema>) => {
  const decide = deciding.compile<Static<Schema>>(schema);
  let collectAll: ValidateFunction | undefined;
  const knownOf = knownBy(schema);
  return (body) => {
    const { faults: excessive, hasNulls } = excessOf(body as Record<string, unknown>);
    const isModest = Object.keys(excessive).length === 0;
    const modest = isModest
      ? body
      : Object.fromEntries(
          Object.entries(body).filter(([name]) => !Object.hasOwn(excessive, name)),
        );
    const given = (hasNulls ? withoutNulls(modest) : modest) as Record<string, unknown>;
    const value: unknown = given;
    if (isModest && decide(value)) {
      const known = knownOf(value) as Static<Schema>;
      return { ok: true, value: known, faults: {}, sound: known, given };
    }
    collectAll ??= collecting.compile(schema);
    const errors = errorsFound(collectAll, given);
    const faults = { ...collect(errors), ...excessive };
    // The search ended early: other fields may be faulty too.
    if (errors.length >= MOST_FAULTS) return { ok: false, faults, sound: {}, given };
    // What is unknown is left out already.
    const faulty = new Set(
      errors.filter(({ keyword }) => keyword !== 'additionalProperties').map(fieldOf),
    );
    const sound = [...faulty].reduce(
      (left, path) => without(left, path.split('.')),
      knownOf(given) as object,
    );
    return { ok: false, faults, sound: sound as Partial<Static<Schema>>, given };
  };
};

/** Looks at a whole body before any schema does: faults of the fields that hold too much, and whether there is any null. */
const excessOf = (
  body: Readonly<Record<string, unknown>>,
): { readonly faults: Faults; readonly hasNulls: boolean } => {
  const seen = { values: 0, hasNulls: false };
  const faults: Record<string, readonly string[]> = {};
  for (const name of Object.keys(body)) {
    const excess = excessIn(body[name], 1, seen);
    if (excess === undefined) continue;
    faults[name] = [`O campo ${name.slice(0, LONGEST_SHOWN)} ${excess}.`];
    if (seen.values > MOST_VALUES) break;
  }
  return { faults, hasNulls: seen.hasNulls };
};

/** Counts what is inside; says what is too much, if anything is. */
const excessIn = (
  value: unknown,
  level: number,
  seen: { values: number; hasNulls: boolean },
): string | undefined => {
  seen.values += 1;
  if (value === null) seen.hasNulls = true;
  if (seen.values > MOST_VALUES) return `tem valores demais (o corpo pode ter ${MOST_VALUES})`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MOST_LEVELS) return `tem mais de ${MOST_LEVELS} níveis`;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    const excess = excessIn(each, level + 1, seen);
    if (excess !== undefined) return excess;
  }
  return undefined;
};

/** Where a schema says what is inside. */
export interface Described {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/** Takes from a value what the schema knows of it. Nothing else goes any further, whatever else was sent. */
const knownBy = (schema: TSchema): ((value: unknown) => unknown) => {
  const { properties, items } = schema as Described;
  const ofEach = items === undefined ? asIs : knownBy(items);
  const fields =
    properties &&
    Object.entries(properties).map(([name, field]) => [name, knownBy(field)] as const);
  if (items === undefined && fields === undefined) return asIs;
  return (value) => {
    if (Array.isArray(value)) return value.map(ofEach);
    if (fields === undefined || !isPlainObject(value)) return value;
    const known: Record<string, unknown> = {};
    for (const [name, ofField] of fields)
      if (Object.hasOwn(value, name))
        known[name] = ofField((value as Record<string, unknown>)[name]);
    return known;
  };
};

const asIs = (value: unknown): unknown => value;

/** The value without the field at a path; what is not there is not there afterwards either. */
const without = (value: object, [name = '', ...rest]: readonly string[]): object => {
  const { [name]: field, ...others } = value as Record<string, unknown>;
  if (rest.length === 0 || !isPlainObject(field)) return others;
  return { ...others, [name]: without(field, rest) };
};

/** Checks against a schema: the value, or what `refuse` makes of its faults is thrown. */
export const valueOr = <Schema extends TSchema>(
  schema: Schema,
  refuse: (faults: Faults) => Error,
) => {
  const check = validator(schema);
  return (given: object): Static<Schema> => {
    const checked = check(given);
    if (!checked.ok) throw refuse(checked.faults);
    return checked.value;
  };
};

/** No schema of this API nests deeper; nulls below are left for validation to refuse or ignore. */
const DEEPEST = 8;

/** A null says the same as an absent field. */
const withoutNulls = (value: object, depth = 0): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, depth < DEEPEST ? withoutNullsInside(each, depth + 1) : each]),
  );

const withoutNullsInside = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value))
    return value.map((each) => (isPlainObject(each) ? withoutNulls(each, depth) : each));
  return isPlainObject(value) ? withoutNulls(value, depth) : value;
};

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const collect = (errors: readonly ErrorObject[]): Faults => {
  const faults = new Map<string, string[]>();
  for (const error of errors.slice(0, MOST_FAULTS)) {
    const field = fieldOf(error);
    const message = `O campo ${field} ${complaint(error)}.`;
    const known = faults.get(field);
    if (known === undefined) faults.set(field, [message]);
    else if (!known.includes(message)) known.push(message);
  }
  return Object.fromEntries(faults);
};

const fieldOf = ({ instancePath, keyword, params }: ErrorObject): string => {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') path.push(params.missingProperty);
  if (keyword === 'additionalProperties') path.push(params.additionalProperty);
  return path.join('.');
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'um texto',
  number: 'um número',
  integer: 'um número inteiro',
  boolean: 'verdadeiro ou falso',
  array: 'uma lista',
  object: 'um objeto',
  null: 'nulo',
};

/** A text that looks like a number shows that it is a text. */
const spelt = (value: unknown): string =>
  typeof value === 'object' || (typeof value === 'string' && /^\d+$/.test(value))
    ? JSON.stringify(value)
    : String(value);

/** More choices than these are not listed: nobody reads them. */
const MOST_CHOICES = 30;
const LONGEST_CHOICES = 600;

const choices = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MOST_CHOICES).map(spelt).join(', ');
  const isWhole = values.length <= MOST_CHOICES && shown.length <= LONGEST_CHOICES;
  return isWhole ? shown : `${shown.slice(0, LONGEST_CHOICES)}…`;
};

/** Completes "O campo x …", for a keyword of JSON Schema and what goes with it. */
export const complaintOf = (keyword: string, params: Readonly<Record<string, unknown>>): string =>
  complaint({ keyword, params });

const typeName = (type: string): string => TYPE_NAMES[type] ?? type;

/** Keywords, each with what a value must be like. */
// biome-ignore lint/suspicious/noExplicitAny: what goes with a keyword is Ajv's, and different for each
const COMPLAINTS: Readonly<Record<string, (params: Readonly<Record<string, any>>) => string>> = {
  required: () => 'é obrigatório',
  additionalProperties: () => 'não é conhecido',
  unevaluatedProperties: () => 'não é conhecido',
  type: ({ type }) => `deve ser ${[type].flat().map(typeName).join(' ou ')}`,
  enum: ({ allowedValues }) => `deve ser um destes: ${choices(allowedValues)}`,
  const: ({ allowedValue }) => `deve ser ${JSON.stringify(allowedValue)}`,
  minLength: ({ limit }) =>
    `deve ter no mínimo ${limit} ${limit === 1 ? 'caractere' : 'caracteres'}`,
  maxLength: ({ limit }) => `deve ter no máximo ${limit} caracteres`,
  minimum: ({ limit }) => `deve ser no mínimo ${limit}`,
  maximum: ({ limit }) => `deve ser no máximo ${limit}`,
  exclusiveMinimum: ({ limit }) => `deve ser maior que ${limit}`,
  exclusiveMaximum: ({ limit }) => `deve ser menor que ${limit}`,
  multipleOf: ({ multipleOf }) => `deve ser múltiplo de ${multipleOf}`,
  pattern: ({ pattern }) => `deve corresponder ao padrão "${pattern}"`,
  uniqueItems: () => 'não pode ter itens repetidos',
  minItems: ({ limit }) => `deve ter no mínimo ${limit} ${limit === 1 ? 'item' : 'itens'}`,
  maxItems: ({ limit }) => `deve ter no máximo ${limit} ${limit === 1 ? 'item' : 'itens'}`,
  minProperties: ({ limit }) => `deve ter no mínimo ${limit} ${limit === 1 ? 'campo' : 'campos'}`,
  maxProperties: ({ limit }) => `deve ter no máximo ${limit} ${limit === 1 ? 'campo' : 'campos'}`,
  propertyNames: ({ propertyName }) =>
    `não pode ter um campo de nome ${JSON.stringify(propertyName)}`,
  dependentRequired: ({ property, missingProperty }) =>
    `deve ter ${missingProperty} onde tem ${property}`,
  contains: () => 'não tem os itens que deve ter',
  format: ({ format }) => FORMATS[format as FormatName].complaint,
  [TOO_MUCH_MATCHING]: () => 'tem textos longos demais para os padrões (pattern) do produto',
};

/** For combinations of rules (anyOf, not, if…): which one was meant is not known. */
const OTHER_COMPLAINT = 'não combina com as regras deste campo';

const complaint = ({ keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>): string =>
  COMPLAINTS[keyword]?.(params) ?? OTHER_COMPLAINT;
