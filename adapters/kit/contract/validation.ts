import { Ajv, type Options, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import { holdsCardNumber } from '#domain';
import { invalidFields } from './answer-error.ts';
import { describeErrors, fieldOf, MAX_LISTED_FAULTS } from './complaints.ts';
import { type Complaint, complain, type FieldFaults } from './field-faults.ts';
import { FORMATS, type NestedSchemas } from './formats.ts';
import { compilePicker } from './known-fields.ts';
import { limitErrors, listErrors } from './limited-errors.ts';
import { compileTidy, type Tidy } from './tidy-values.ts';

const createAjv = (options: Options): Ajv => {
  const ajv = new Ajv({ strict: true, ...options });
  ajv.addKeyword('x-personal');
  ajv.addKeyword('x-card');
  ajv.addKeyword('x-attributes');
  for (const [name, { format }] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  return ajv;
};

/** Stops at the first error: the fast check, for valid bodies. */
const firstErrorAjv = createAjv({});

/** Finds the errors of an invalid body, and stops at the last one that an answer lists. */
const allErrorsAjv = createAjv(limitErrors(MAX_LISTED_FAULTS));

/** Limits for a whole body: more than any request needs, and checked within a millisecond. */
export const MAX_VALUES = 30_000;
export const MAX_LEVELS = 64;

/** Characters of a field's name in a message. */
const MAX_SHOWN_NAME_LENGTH = 100;

interface Inspected<Schema extends TSchema> {
  readonly faults: FieldFaults;
  /** The values of the fields without faults. */
  readonly sound: Partial<Static<Schema>>;
  /** The whole body, faulty fields included, nulls left out. */
  readonly given: Readonly<Record<string, unknown>>;
}

export type Checked<Schema extends TSchema> = Inspected<Schema> &
  ({ readonly ok: true; readonly value: Static<Schema> } | { readonly ok: false });

/**
 * Returns a function that checks a body: its value, or every fault by field. The schema is compiled
 * when the first body comes: compiling all of them takes a sixth of a start.
 *
 * @param tidy tidies the values before they are checked
 */
export const compileValidator = <Schema extends TSchema>(
  schema: Schema,
  tidy: Tidy = compileTidy(schema),
): ((body: object) => Checked<Schema>) => {
  let isValid: ValidateFunction<Static<Schema>> | undefined;
  let findAllErrors: ValidateFunction | undefined;
  const pickKnown = compilePicker(schema);
  const findCards = compileCardFinder(schema);

  const explain = (given: Record<string, unknown>, excessive: FieldFaults): Checked<Schema> => {
    findAllErrors ??= allErrorsAjv.compile(schema);
    const errors = listErrors(findAllErrors, given);
    const faults = { ...describeErrors(errors), ...excessive };
    // The search stopped early: fields without an error may be faulty too.
    if (errors.length >= MAX_LISTED_FAULTS) return { ok: false, faults, sound: {}, given };

    // `pickKnown` leaves unknown fields out.
    const faulty = new Set(
      errors.filter(({ keyword }) => keyword !== 'additionalProperties').map(fieldOf),
    );
    for (const path of Object.keys(excessive)) faulty.add(path);
    const sound = [...faulty].reduce(
      (left, path) => omitPath(left, path.split('.')),
      pickKnown(given) as object,
    );
    return { ok: false, faults, sound: sound as Partial<Static<Schema>>, given };
  };

  return function validateBody(body) {
    const { faults: excessive, hasNulls } = findExcess(body as Record<string, unknown>);
    const isExcessive = Object.keys(excessive).length > 0;
    const modest = isExcessive
      ? Object.fromEntries(Object.entries(body).filter(([name]) => !Object.hasOwn(excessive, name)))
      : body;
    const given = tidy(hasNulls ? omitNulls(modest) : modest) as Record<string, unknown>;
    const value: unknown = given;
    const cards: Record<string, readonly Complaint[]> = {};
    findCards(given, '', cards);
    const hasCards = Object.keys(cards).length > 0;
    isValid ??= firstErrorAjv.compile<Static<Schema>>(schema);
    if (isExcessive || hasCards || !isValid(value))
      return explain(given, { ...excessive, ...cards });

    const known = pickKnown(value) as Static<Schema>;
    return { ok: true, value: known, faults: {}, sound: known, given };
  };
};

/** Walks a body before validation. Finds fields with too many values, and whether any is null. */
const findExcess = (
  body: Readonly<Record<string, unknown>>,
): { readonly faults: FieldFaults; readonly hasNulls: boolean } => {
  const seen = { values: 0, hasNulls: false };
  const faults: Record<string, readonly Complaint[]> = {};
  for (const name of Object.keys(body)) {
    const excess = describeExcess(body[name], 1, seen);
    if (excess === undefined) continue;
    faults[name] = [
      complain('too_complex', `O campo ${name.slice(0, MAX_SHOWN_NAME_LENGTH)} ${excess}.`),
    ];
    if (seen.values > MAX_VALUES) break;
  }
  return { faults, hasNulls: seen.hasNulls };
};

/** Counts the values inside; completes "O campo x …" if there are too many. */
const describeExcess = (
  value: unknown,
  level: number,
  seen: { values: number; hasNulls: boolean },
): string | undefined => {
  seen.values += 1;
  if (value === null) seen.hasNulls = true;
  if (seen.values > MAX_VALUES) return `tem valores demais (o corpo pode ter ${MAX_VALUES})`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (level > MAX_LEVELS) return `tem mais de ${MAX_LEVELS} níveis`;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    const excess = describeExcess(each, level + 1, seen);
    if (excess !== undefined) return excess;
  }
  return undefined;
};

/** The value without the field at a path, if it has one. */
const omitPath = (value: object, [name = '', ...rest]: readonly string[]): object => {
  const { [name]: field, ...others } = value as Record<string, unknown>;
  if (rest.length === 0 || !isPlainObject(field)) return others;
  return { ...others, [name]: omitPath(field, rest) };
};

/** Returns a function that reads a value, or throws what `toError` makes of the faults. */
export const compileReader = <Schema extends TSchema>(
  schema: Schema,
  toError: (faults: FieldFaults) => Error = invalidFields,
) => {
  const check = compileValidator(schema);

  return function readValue(given: object): Static<Schema> {
    const checked = check(given);
    if (!checked.ok) throw toError(checked.faults);
    return checked.value;
  };
};

/** No schema of this API nests deeper. Validation refuses or ignores nulls below. */
const MAX_NULL_DEPTH = 8;

/** The value without its null fields: null means the same as absent. */
const omitNulls = (value: object, depth = 0): object =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null)
      .map(([name, each]) => [
        name,
        depth < MAX_NULL_DEPTH ? omitNullsInside(each, depth + 1) : each,
      ]),
  );

const omitNullsInside = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value))
    return value.map((each) => (isPlainObject(each) ? omitNulls(each, depth) : each));
  return isPlainObject(value) ? omitNulls(value, depth) : value;
};

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Formats of texts that people write freely. Others allow no card number. */
const FREE = new Set([undefined, 'text', 'paragraphs', 'external-sale-id']);

const TEXTLESS = new Set(['number', 'integer', 'boolean']);

/** Adds the faults of a value at a path. */
type Find = (value: unknown, path: string, faults: Record<string, readonly Complaint[]>) => void;

const findAnywhere: Find = (value, path, faults) => {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject ? Object.keys(value).some(holdsCardNumber) : holdsCardNumber(String(value))) {
    const message = `O campo ${path} contém um número de cartão, que não pode ser guardado.`;
    faults[path] = [complain('card_number_in_text', message)];
  } else if (isObject)
    for (const [name, each] of Object.entries(value))
      findAnywhere(each, path === '' ? name : `${path}.${name}`, faults);
};

const findNowhere: Find = () => {};

/**
 * Returns a function that finds card numbers in a body (PCI DSS 3.4): in the fields that hold any
 * text, and in each name and value of an object of any fields. A card itself is no text.
 */
const compileCardFinder = (schema: TSchema): Find => {
  if ('x-card' in schema) return findNowhere;
  const { properties, items } = schema as NestedSchemas;
  const { type, format, pattern, enum: words } = schema as Readonly<Record<string, unknown>>;
  if (items !== undefined) {
    const find = compileCardFinder(items);
    return (value, path, faults) => {
      if (!Array.isArray(value)) return findAnywhere(value, path, faults);
      for (const [at, each] of value.entries()) find(each, `${path}.${at}`, faults);
    };
  }
  if (properties === undefined) {
    if (words !== undefined || TEXTLESS.has(type as string)) return findNowhere;
    const isFree = type !== 'string' || (FREE.has(format as string) && pattern === undefined);
    return isFree ? findAnywhere : findNowhere;
  }
  const finders = Object.entries(properties)
    .map(([name, field]) => [name, compileCardFinder(field)] as const)
    .filter(([, find]) => find !== findNowhere);
  return (value, path, faults) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    // Fields that the schema does not know are refused, or dropped.
    for (const [name, find] of finders) {
      const field = (value as Record<string, unknown>)[name];
      if (field !== undefined) find(field, path === '' ? name : `${path}.${name}`, faults);
    }
  };
};
