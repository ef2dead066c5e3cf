import type { Json, JsonObject } from '#domain';
import type { AttributeFault } from '../../../application/catalogue/attribute-schemas.ts';
import { describeViolation, MAX_LISTED_FAULTS } from '../contract/complaints.ts';
import type { FieldCode } from '../contract/error-codes.ts';
import { type Complaint, complain, type FieldFaults } from '../contract/field-faults.ts';
import { isParagraphs, isText } from '../contract/formats.ts';

/** Limits for the attributes of every product, whatever its schema allows. */
const MAX_LEVELS = 5;
const MAX_VALUES = 300;
const MAX_TEXT_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;

const FIELD = 'attributes';

/** Faults that attributes must not have, whatever the product's schema allows. */
export const findAttributeFaults = (attributes: JsonObject | undefined): FieldFaults => {
  const faults: Record<string, Complaint[]> = {};
  const addFault = (path: string, code: FieldCode, complaint: string): void => {
    faults[path] ??= [complain(code, `O campo ${path} ${complaint}.`)];
  };
  let left = MAX_VALUES;
  const checkValue = (value: Json, path: string, levels: number): void => {
    left -= 1;
    if (left < 0) addFault(FIELD, 'too_complex', `tem mais de ${MAX_VALUES} valores`);
    else if (typeof value === 'object' && value !== null) checkFields(value, path, levels);
    else if (typeof value === 'string' && !(isParagraphs(value) && value.length <= MAX_TEXT_LENGTH))
      addFault(
        path,
        isParagraphs(value) ? 'too_long' : 'invalid_format',
        `não pode ser vazio, conter caracteres de controle nem ter mais de ${MAX_TEXT_LENGTH} caracteres`,
      );
    // A number in JSON that is too large for a double becomes Infinity, which jsonb cannot store.
    else if (typeof value === 'number' && !Number.isFinite(value))
      addFault(path, 'out_of_range', 'não é um número que se possa guardar');
  };
  const checkFields = (value: object, path: string, levels: number): void => {
    if (levels === 0) addFault(FIELD, 'too_complex', `tem mais de ${MAX_LEVELS} níveis`);
    else
      for (const [name, each] of Object.entries(value)) {
        if (left < 0) break;
        if (isText(name) && name.length <= MAX_NAME_LENGTH && name !== '__proto__')
          checkValue(each, `${path}.${name}`, levels - 1);
        else
          addFault(
            path,
            'unknown',
            `tem um nome de campo inválido (vazio, com caracteres de controle ou com mais de ${MAX_NAME_LENGTH} caracteres)`,
          );
      }
  };
  checkValue(attributes ?? {}, FIELD, MAX_LEVELS);
  return faults;
};

/** The faults by the product's schema, each with its field. */
export const complainOfAttributes = (
  found: readonly AttributeFault[],
): readonly (readonly [field: string, complaint: Complaint])[] =>
  found.slice(0, MAX_LISTED_FAULTS).map(({ path, keyword, params }) => {
    const field = path === '' ? FIELD : `${FIELD}.${path}`;
    return [field, describeViolation(field, keyword, params)];
  });
