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
  TOO_MUCH_MATCHING,
} from '../../application/catalogue/attribute-schemas.ts';
import { compilePattern, type Pattern, runWithinBudget, TooMuchMatching } from './patterns.ts';
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

/** Makes Ajv match patterns with RE2, whose time is limited for every text. */
const regExp = Object.assign((source: string) => compilePattern(source) as Pattern, {
  code: 'compilePattern',
});

/** Max errors that are listed. Ajv creates an object for each, which takes time. */
const MAX_ERRORS = 100;

/** Changes the code that Ajv generates: at the last error it throws the errors found so far. */
const limitErrors = (code: string): string =>
  code.replaceAll('errors++;', `if (++errors >= ${MAX_ERRORS}) throw vErrors;`);

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
    // Floating point has no exact 0.01. With this precision 1234.35 counts as a multiple of it.
    multipleOfPrecision: 6,
    ...(which === 'all_errors'
      ? { allErrors: true, code: { regExp, process: limitErrors } }
      : { code: { regExp } }),
  });

/** Runs a validation function of an `all_errors` Ajv, and returns its errors. */
const listErrors = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] => {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  }
};

/** Validates a schema against the meta-schema of the draft. */
const validateSchema = createAjv('all_errors').getSchema(DRAFT) as ValidateFunction;

const toDottedPath = (pointer: string, ...more: readonly string[]): string => {
  const names = pointer.split('/').slice(1);
  return [...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), ...more].join(
    '.',
  );
};

/** Checks attributes against one schema: first cheaply, and after an error for all errors. */
class AttributeCheck {
  readonly #schema: JsonObject;
  readonly #isValid: ValidateFunction;
  #findErrors: ValidateFunction | undefined;

  /** @throws Error if the schema is invalid. */
  constructor(schema: JsonObject) {
    this.#schema = schema;
    this.#isValid = createAjv('first_error').compile(schema);
  }

  /** @throws TooMuchMatching */
  findErrors(attributes: JsonObject): readonly ErrorObject[] {
    if (runWithinBudget(() => this.#isValid(attributes))) return [];
    const first = this.#isValid.errors ?? [];
    this.#findErrors ??= createAjv('all_errors').compile(this.#schema);
    const findErrors = this.#findErrors;
    try {
      return runWithinBudget(() => listErrors(findErrors, attributes));
    } catch (error) {
      // With `allErrors`, Ajv also matches texts that are longer than their `maxLength`.
      if (error instanceof TooMuchMatching) return first;
      throw error;
    }
  }
}

/** JSON Schema (draft 2020-12) with Ajv, restricted so that untrusted schemas do no harm. */
export class AjvAttributeSchemas implements AttributeSchemas {
  /** Compiled checks by schema. The catalogue gives the same object until the product changes. */
  readonly #checks = new WeakMap<JsonObject, AttributeCheck>();

  faultsOfSchema(schema: JsonObject): readonly Fault[] {
    const { $schema: _, ...rest } = schema;
    const invalidPaths = new Set(
      listErrors(validateSchema, rest).map(({ instancePath }) => toDottedPath(instancePath)),
    );
    const faults = findSchemaFaults(schema, ATTRIBUTE_FORMATS);
    const all: Fault[] = [
      ...[...invalidPaths].map((path) => ({ path, kind: 'badly_formed' as const })),
      ...faults.filter(({ path }) => !invalidPaths.has(path)),
    ];
    if (all.length > 0) return all;
    try {
      new AttributeCheck(schema);
      return [];
    } catch {
      return [{ path: '', kind: 'badly_formed' }];
    }
  }

  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[] {
    const check = this.#checks.get(schema) ?? new AttributeCheck(schema);
    this.#checks.set(schema, check);
    try {
      return check.findErrors(attributes).map(toFault);
    } catch (error) {
      if (error instanceof TooMuchMatching)
        return [{ path: '', keyword: TOO_MUCH_MATCHING, params: {} }];
      throw error;
    }
  }
}

/** For keywords about a field of an object: the parameter that names the field. */
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
  return {
    path: toDottedPath(instancePath, ...(name === undefined ? [] : [name])),
    keyword,
    params,
  };
};
