import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import {
  calendarDate,
  type Fault,
  isState,
  type JsonObject,
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
import { type Pattern, patternOf, TooMuchMatching, withinBudget } from './patterns.ts';
import { DRAFT, walkFaults } from './schema-walk.ts';

const FORMATS: Readonly<Record<AttributeFormat, (text: string) => boolean>> = {
  date: (text) => calendarDate(text) !== undefined,
  'date-time': (text) => parseInstant(text) !== undefined,
  'hour-minute': (text) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
  email: (text) => parseEmail(text) !== undefined,
  phone: (text) => parsePhone(text) !== undefined,
  'tax-id': (text) => parseTaxId(text) !== undefined,
  postcode: (text) => parsePostcode(text) === text,
  state: isState,
  imei: (text) => parseImei(text) !== undefined,
};

/** Patterns by RE2, which no text can keep busy for long. */
const regExp = Object.assign((source: string) => patternOf(source) as Pattern, {
  code: 'patternOf',
});

/** Errors that are listed, at most: Ajv builds an object for each, and ends at the last one with those found so far. */
const MOST_ERRORS = 100;
const process = (code: string): string =>
  code.replaceAll('errors++;', `if (++errors >= ${MOST_ERRORS}) throw vErrors;`);

/** An Ajv of its own for each schema, since it remembers all that it has ever seen. */
const newAjv = (which: 'first_error' | 'all_errors'): Ajv2020 =>
  new Ajv2020({
    ...{ strict: true, strictTypes: false, strictTuples: false, strictRequired: false },
    ...{ validateSchema: false, ownProperties: true, logger: false, formats: FORMATS },
    // 0.01 is none that a computer can hold: 1234.35 is a multiple of it all the same.
    multipleOfPrecision: 6,
    ...(which === 'all_errors'
      ? { allErrors: true, code: { regExp, process } }
      : { code: { regExp } }),
  });

/** The errors that a function of an Ajv for all errors finds. */
const errorsFound = (validate: ValidateFunction, value: unknown): readonly ErrorObject[] => {
  try {
    return validate(value) ? [] : (validate.errors ?? []);
  } catch (thrown) {
    if (Array.isArray(thrown)) return thrown;
    throw thrown;
  }
};

/** Holds schemas against the schema of schemas. */
const ofSchemas = newAjv('all_errors').getSchema(DRAFT) as ValidateFunction;

const pathOf = (pointer: string, ...more: readonly string[]): string => {
  const names = pointer.split('/').slice(1);
  return [...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), ...more].join(
    '.',
  );
};

/** Says whether there is an error at all, which is cheap, or finds all. */
class Check {
  readonly #schema: JsonObject;
  readonly #isSound: ValidateFunction;
  #findErrors: ValidateFunction | undefined;

  /** @throws Error where the schema is none. */
  constructor(schema: JsonObject) {
    this.#schema = schema;
    this.#isSound = newAjv('first_error').compile(schema);
  }

  /** @throws TooMuchMatching */
  errorsIn(attributes: JsonObject): readonly ErrorObject[] {
    if (withinBudget(() => this.#isSound(attributes))) return [];
    const first = this.#isSound.errors ?? [];
    this.#findErrors ??= newAjv('all_errors').compile(this.#schema);
    const findErrors = this.#findErrors;
    try {
      return withinBudget(() => errorsFound(findErrors, attributes));
    } catch (error) {
      // Looking for all errors, Ajv also matches a text that is longer than `maxLength` allows.
      if (error instanceof TooMuchMatching) return first;
      throw error;
    }
  }
}

/** JSON Schema (draft 2020-12) by Ajv, without what untrusted schemas could do harm with. */
export class AjvAttributeSchemas implements AttributeSchemas {
  /** The same product is the same object until the catalogue changes. */
  readonly #checks = new WeakMap<JsonObject, Check>();

  faultsOfSchema(schema: JsonObject): readonly Fault[] {
    const { $schema: _, ...rest } = schema;
    const places = new Set(
      errorsFound(ofSchemas, rest).map(({ instancePath }) => pathOf(instancePath)),
    );
    const faults = walkFaults(schema, ATTRIBUTE_FORMATS).filter(({ path }) => !places.has(path));
    const all: Fault[] = [
      ...[...places].map((path) => ({ path, kind: 'badly_formed' as const })),
      ...faults,
    ];
    if (all.length > 0) return all;
    try {
      new Check(schema);
      return [];
    } catch {
      return [{ path: '', kind: 'badly_formed' }];
    }
  }

  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[] {
    const check = this.#checks.get(schema) ?? new Check(schema);
    this.#checks.set(schema, check);
    try {
      return check.errorsIn(attributes).map(faultOf);
    } catch (error) {
      if (error instanceof TooMuchMatching)
        return [{ path: '', keyword: TOO_MUCH_MATCHING, params: {} }];
      throw error;
    }
  }
}

const faultOf = ({ instancePath, keyword, params }: ErrorObject): AttributeFault => {
  const missing = keyword === 'required' ? [params['missingProperty'] as string] : [];
  const unknown =
    keyword === 'additionalProperties' ? [params['additionalProperty'] as string] : [];
  return { path: pathOf(instancePath, ...missing, ...unknown), keyword, params };
};
