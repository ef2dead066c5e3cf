import { Ajv, type ErrorObject } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { Faults } from './answers.ts';
import { FORMATS, type FormatName } from './formats.ts';

const ajv = new Ajv({ allErrors: true, strict: true });
ajv.addKeyword('x-personal');
ajv.addKeyword('x-card');
for (const [name, { format }] of Object.entries(FORMATS)) ajv.addFormat(name, format);

/** More faults than this are not listed: nobody reads them, and a hostile body could ask for very many. */
export const MOST_FAULTS = 100;

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
export const validator = <Schema extends TSchema>(schema: Schema): ((body: object) => Checked<Schema>) => {
  const validate = ajv.compile<Static<Schema>>(schema);
  const knownOf = knownBy(schema);
  return (body) => {
    const given = (hasNulls(body, 0) ? withoutNulls(body) : body) as Record<string, unknown>;
    const value: unknown = given;
    if (validate(value)) {
      const known = knownOf(value) as Static<Schema>;
      return { ok: true, value: known, faults: {}, sound: known, given };
    }
    const errors = validate.errors ?? [];
    // All of them, not only those that are listed: what is unknown is left out already.
    const faulty = new Set(errors.filter(({ keyword }) => keyword !== 'additionalProperties').map(fieldOf));
    const sound = [...faulty].reduce((left, path) => without(left, path.split('.')), knownOf(given) as object);
    return { ok: false, faults: collect(errors), sound: sound as Partial<Static<Schema>>, given };
  };
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
  const fields = properties && Object.entries(properties).map(([name, field]) => [name, knownBy(field)] as const);
  if (items === undefined && fields === undefined) return asIs;
  return (value) => {
    if (Array.isArray(value)) return value.map(ofEach);
    if (fields === undefined || !isPlainObject(value)) return value;
    const known: Record<string, unknown> = {};
    for (const [name, ofField] of fields)
      if (Object.hasOwn(value, name)) known[name] = ofField((value as Record<string, unknown>)[name]);
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
export const valueOr = <Schema extends TSchema>(schema: Schema, refuse: (faults: Faults) => Error) => {
  const check = validator(schema);
  return (given: object): Static<Schema> => {
    const checked = check(given);
    if (!checked.ok) throw refuse(checked.faults);
    return checked.value;
  };
};

/** No schema nests deeper; what a hostile body nests deeper is left as it is, for validation to refuse or ignore. */
const DEEPEST = 8;

/** Whether there may be some. Hardly any body has, and then it need not be made again. */
const hasNulls = (value: unknown, depth: number): boolean => {
  if (value === null) return true;
  if (typeof value !== 'object') return false;
  if (depth > DEEPEST) return true;
  for (const each of Array.isArray(value) ? value : Object.values(value)) if (hasNulls(each, depth + 1)) return true;
  return false;
};

/** A null says the same as an absent field. */
const withoutNulls = (value: object, depth = 0): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [name, depth < DEEPEST ? withoutNullsInside(each, depth + 1) : each]),
  );

const withoutNullsInside = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value)) return value.map((each) => (isPlainObject(each) ? withoutNulls(each, depth) : each));
  return isPlainObject(value) ? withoutNulls(value, depth) : value;
};

const isPlainObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

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
  typeof value === 'object' || (typeof value === 'string' && /^\d+$/.test(value)) ? JSON.stringify(value) : String(value);

/** More choices than these are not listed: nobody reads them. */
const MOST_CHOICES = 30;

const choices = (values: readonly unknown[]): string =>
  `${values.slice(0, MOST_CHOICES).map(spelt).join(', ')}${values.length > MOST_CHOICES ? '…' : ''}`;

/** Completes "O campo x …", for a keyword of JSON Schema and what goes with it. */
export const complaintOf = (keyword: string, params: Readonly<Record<string, unknown>>): string => complaint({ keyword, params });

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
  minLength: ({ limit }) => `deve ter no mínimo ${limit} ${limit === 1 ? 'caractere' : 'caracteres'}`,
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
  propertyNames: ({ propertyName }) => `não pode ter um campo de nome ${JSON.stringify(propertyName)}`,
  dependentRequired: ({ property, missingProperty }) => `deve ter ${missingProperty} onde tem ${property}`,
  contains: () => 'não tem os itens que deve ter',
  format: ({ format }) => FORMATS[format as FormatName].complaint,
};

/** For combinations of rules (anyOf, not, if…): which one was meant is not known. */
const OTHER_COMPLAINT = 'não combina com as regras deste campo';

const complaint = ({ keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>): string =>
  COMPLAINTS[keyword]?.(params) ?? OTHER_COMPLAINT;
