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
} from '../../application/catalogue/attribute-schemas.ts';
import { type Pattern, patternOf } from './patterns.ts';
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
const regExp = Object.assign((source: string) => patternOf(source) as Pattern, { code: 'patternOf' });

/** An Ajv of its own for each schema, since it remembers all that it has ever seen. */
const newAjv = (): Ajv2020 =>
  new Ajv2020({
    ...{ allErrors: true, strict: true, strictTypes: false, strictTuples: false, strictRequired: false },
    ...{ validateSchema: false, ownProperties: true, logger: false, code: { regExp }, formats: FORMATS },
    // 0.01 is none that a computer can hold: 1234.35 is a multiple of it all the same.
    multipleOfPrecision: 6,
  });

const compiled = (schema: JsonObject): ValidateFunction => newAjv().compile(schema);

/** Holds schemas against the schema of schemas. */
const ofSchemas = newAjv();

const pathOf = (pointer: string, ...more: readonly string[]): string => {
  const names = pointer.split('/').slice(1);
  return [...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')), ...more].join('.');
};

/** JSON Schema (draft 2020-12) by Ajv, without what untrusted schemas could do harm with. */
export class AjvAttributeSchemas implements AttributeSchemas {
  /** The same product is the same object until the catalogue changes. */
  readonly #known = new WeakMap<JsonObject, ValidateFunction>();

  faultsOfSchema(schema: JsonObject): readonly Fault[] {
    const { $schema: _, ...rest } = schema;
    const misshapen = ofSchemas.validate(DRAFT, rest) ? [] : (ofSchemas.errors ?? []);
    const places = new Set(misshapen.map(({ instancePath }) => pathOf(instancePath)));
    const faults = walkFaults(schema, ATTRIBUTE_FORMATS).filter(({ path }) => !places.has(path));
    const all: Fault[] = [...[...places].map((path) => ({ path, kind: 'badly_formed' as const })), ...faults];
    if (all.length > 0) return all;
    try {
      compiled(schema);
      return [];
    } catch {
      return [{ path: '', kind: 'badly_formed' }];
    }
  }

  faultsOf(attributes: JsonObject, schema: JsonObject): readonly AttributeFault[] {
    const validate = this.#known.get(schema) ?? compiled(schema);
    this.#known.set(schema, validate);
    return validate(attributes) ? [] : (validate.errors ?? []).map(faultOf);
  }
}

const faultOf = ({ instancePath, keyword, params }: ErrorObject): AttributeFault => {
  const missing = keyword === 'required' ? [params['missingProperty'] as string] : [];
  const unknown = keyword === 'additionalProperties' ? [params['additionalProperty'] as string] : [];
  return { path: pathOf(instancePath, ...missing, ...unknown), keyword, params };
};
