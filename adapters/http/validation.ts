import { Ajv, type ErrorObject } from 'ajv';
import localizePtBr from 'ajv-i18n/localize/pt-BR/index.js';
import type { Static, TSchema } from 'typebox';
import type { Faults } from './answers.ts';
import { FORMATS, type FormatName } from './formats.ts';

// A CommonJS function whose types claim a default export.
const localize = localizePtBr as unknown as (errors: ErrorObject[]) => void;

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
  return (body) => {
    const given = withoutNulls(body) as Record<string, unknown>;
    const value: unknown = given;
    if (validate(value)) {
      const known = knownOf(schema, value) as Static<Schema>;
      return { ok: true, value: known, faults: {}, sound: known, given };
    }
    const faults = collect(validate.errors ?? []);
    const sound = Object.keys(faults).reduce((left, path) => without(left, path.split('.')), knownOf(schema, given) as object);
    return { ok: false, faults, sound: sound as Partial<Static<Schema>>, given };
  };
};

/** Where a schema says what is inside. */
export interface Described {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
}

/** What the schema knows of a value. Nothing else goes any further, whatever else was sent. */
const knownOf = (schema: TSchema | undefined, value: unknown): unknown => {
  const { properties, items } = (schema ?? {}) as Described;
  if (Array.isArray(value)) return items === undefined ? value : value.map((each) => knownOf(items, each));
  if (properties === undefined || !isPlainObject(value)) return value;
  const fields = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
  return Object.fromEntries(fields.map(([name, field]) => [name, knownOf(properties[name], field)]));
};

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
};

/** A text that looks like a number shows that it is a text. */
const spelt = (value: unknown): string => (typeof value === 'string' && /^\d+$/.test(value) ? `"${value}"` : String(value));

/** Completes "O campo x …", for a keyword of JSON Schema and what goes with it. */
export const complaintOf = (keyword: string, params: Readonly<Record<string, unknown>>): string =>
  complaint({ keyword, params, instancePath: '', schemaPath: '' });

const complaint = (error: ErrorObject): string => {
  const { keyword, params } = error;
  if (keyword === 'required') return 'é obrigatório';
  if (keyword === 'additionalProperties') return 'não é conhecido';
  if (keyword === 'type') return `deve ser ${TYPE_NAMES[params.type] ?? params.type}`;
  if (keyword === 'enum') return `deve ser um destes: ${params.allowedValues.map(spelt).join(', ')}`;
  if (keyword === 'minLength') return `deve ter no mínimo ${params.limit} ${params.limit === 1 ? 'caractere' : 'caracteres'}`;
  if (keyword === 'maxLength') return `deve ter no máximo ${params.limit} caracteres`;
  if (keyword === 'minimum') return `deve ser no mínimo ${params.limit}`;
  if (keyword === 'maximum') return `deve ser no máximo ${params.limit}`;
  if (keyword === 'uniqueItems') return 'não pode ter itens repetidos';
  if (keyword === 'exclusiveMinimum') return `deve ser maior que ${params.limit}`;
  if (keyword === 'format') return FORMATS[params.format as FormatName].complaint;
  localize([error]);
  return error.message ?? 'não é válido';
};
