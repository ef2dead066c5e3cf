import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  type Fault,
  isUf,
  type JsonObject,
  parseDate,
  parseEmail,
  parseImei,
  parseInstant,
  parsePhone,
  parsePostcode,
  parseTaxId,
} from '#domain';
import {
  ATTRIBUTE_FORMATS,
  type AttributeFault,
  type AttributeFormat,
  type AttributeSchemas,
} from '../../application/catalogue/attribute-schemas.ts';
import { limitErrors, listErrors } from '../kit/contract/limited-errors.ts';
import { MULTIPLE_OF } from './multiples.ts';
import { compilePattern } from './patterns.ts';
import { DRAFT, findSchemaFaults } from './schema-faults.ts';

const FORMATS: Readonly<Record<AttributeFormat, (text: string) => boolean>> = {
  date: (text) => parseDate(text) !== undefined,
  'date-time': (text) => parseInstant(text) !== undefined,
  'hour-minute': (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
  email: (text) => parseEmail(text) !== undefined,
  phone: (text) => parsePhone(text) !== undefined,
  'tax-id': (text) => parseTaxId(text) !== undefined,
  postcode: (text) => parsePostcode(text) === text,
  state: isUf,
  imei: (text) => parseImei(text) !== undefined,
};

/** Makes Ajv match patterns with RE2. */
const regExp = Object.assign((source: string) => compilePattern(source), { code: 'RE2' });

/** Max errors that are listed. */
const MAX_ERRORS = 100;

/** Creates an Ajv. Each schema needs its own, because an Ajv never forgets a schema. */
const createAjv = (which: 'first_error' | 'all_errors'): Ajv2020 =>
  new Ajv2020({
    strict: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    validateSchema: false,
    ownProperties: true,
    logger: false,
    formats: FORMATS,
    ...(which === 'all_errors' ? limitErrors(MAX_ERRORS, { regExp }) : { code: { regExp } }),
  })
    .removeKeyword('multipleOf')
    .addKeyword(MULTIPLE_OF);

const standard = createAjv('all_errors');

/** Validates a schema against the meta-schema of the draft. */
const validateSchema = standard.getSchema(DRAFT) as ValidateFunction;

/** The keywords of a vocabulary of the draft. */
const listKeywords = (vocabulary: string): readonly string[] => {
  const meta = standard.getSchema(DRAFT.replace(/schema$/, `meta/${vocabulary}`))?.schema;
  return Object.keys((meta as { readonly properties: object }).properties);
};

/** Every keyword but those that name or find schemas elsewhere, and `unevaluated…`, `content…`. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['applicator', 'validation', 'meta-data'].flatMap(listKeywords),
  ...['$schema', '$comment', '$ref', '$defs', 'format'],
]);

const toDottedPath = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

/** Compiles a check that looks for all errors after the first. @throws Error for a bad schema */
const compileCheck = (schema: JsonObject) => {
  const isValid = createAjv('first_error').compile(schema);
  let validate: ValidateFunction | undefined;
  return function findErrors(attributes: JsonObject): readonly ErrorObject[] {
    if (isValid(attributes)) return [];
    validate ??= createAjv('all_errors').compile(schema);
    return listErrors(validate, attributes);
  };
};

/** JSON Schema (draft 2020-12) with Ajv, restricted so that untrusted schemas do no harm. */
export class AjvAttributeSchemas implements AttributeSchemas {
  /** Compiled checks by schema. The catalogue gives the same object until the product changes. */
  readonly #checks = new WeakMap<JsonObject, ReturnType<typeof compileCheck>>();

  faultsOfSchema(schema: JsonObject): readonly Fault[] {
    const { $schema: _, ...rest } = schema;
    const invalidPaths = new Set(
      listErrors(validateSchema, rest).map(({ instancePath }) => toDottedPath(instancePath)),
    );
    const faults = findSchemaFaults(schema, { keywords: KEYWORDS, formats: ATTRIBUTE_FORMATS });
    const invalid = [...invalidPaths].map((path): Fault => ({ path, kind: 'badly_formed' }));
    const all = [...invalid, ...faults.filter(({ path }) => !invalidPaths.has(path))];
    if (all.length > 0) return all;
    try {
      compileCheck(schema);
      return [];
    } catch {
      return [{ path: '', kind: 'badly_formed' }];
    }
  }

  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[] {
    const check = this.#checks.get(schema) ?? compileCheck(schema);
    this.#checks.set(schema, check);
    return check(attributes).map(toFault);
  }
}

/** The parameter that names the field, for keywords about a field of an object. */
const NAMING_PARAMETERS: Readonly<Record<string, string>> = {
  required: 'missingProperty',
  dependentRequired: 'missingProperty',
  additionalProperties: 'additionalProperty',
  propertyNames: 'propertyName',
};

const toFault = ({ instancePath, keyword, params, propertyName }: ErrorObject): AttributeFault => {
  const parameter = NAMING_PARAMETERS[keyword];
  // `propertyName` is set on errors of the schemas inside `propertyNames`.
  const name = parameter === undefined ? propertyName : (params[parameter] as string);
  const parts = [toDottedPath(instancePath), name].filter(
    (part) => part !== undefined && part !== '',
  );
  return { path: parts.join('.'), keyword, params };
};
