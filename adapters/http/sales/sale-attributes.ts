import type { Json, JsonObject } from '#domain';
import type { AttributeFault } from '../../../application/catalogue/attribute-schemas.ts';
import type { Faults } from '../contract/answer-error.ts';
import { isText } from '../contract/formats.ts';
import { complaintOf, MOST_FAULTS } from '../contract/validation.ts';

/** However a product's schema looks: more than any sale has to say, and little enough to be checked and stored without harm. */
const MOST_LEVELS = 5;
const MOST_VALUES = 300;
const LONGEST_TEXT = 2_000;
const LONGEST_NAME = 100;

const FIELD = 'attributes';

/** What no product's attributes may be. */
export const attributeFaults = (attributes: JsonObject | undefined): Faults => {
  const faults: Record<string, string[]> = {};
  const note = (path: string, complaint: string): void => {
    faults[path] ??= [`O campo ${path} ${complaint}.`];
  };
  let left = MOST_VALUES;
  const lookAt = (value: Json, path: string, levels: number): void => {
    left -= 1;
    if (left < 0) note(FIELD, `tem mais de ${MOST_VALUES} valores`);
    else if (typeof value === 'object' && value !== null) lookInto(value, path, levels);
    else if (typeof value === 'string' && !(isText(value) && value.length <= LONGEST_TEXT))
      note(
        path,
        `não pode ser vazio, conter caracteres de controle nem ter mais de ${LONGEST_TEXT} caracteres`,
      );
    // JSON has them, where they are too large for a number, and the database has not.
    else if (typeof value === 'number' && !Number.isFinite(value))
      note(path, 'não é um número que se possa guardar');
  };
  const lookInto = (value: object, path: string, levels: number): void => {
    if (levels === 0) note(FIELD, `tem mais de ${MOST_LEVELS} níveis`);
    else
      for (const [name, each] of Object.entries(value)) {
        if (left < 0) break;
        if (isText(name) && name.length <= LONGEST_NAME && name !== '__proto__')
          lookAt(each, `${path}.${name}`, levels - 1);
        else
          note(
            path,
            `tem um nome de campo inválido (vazio, com caracteres de controle ou com mais de ${LONGEST_NAME} caracteres)`,
          );
      }
  };
  lookAt(attributes ?? {}, FIELD, MOST_LEVELS);
  return faults;
};

/** What the product's schema finds wrong, in words. */
export const faultsIn = (found: readonly AttributeFault[]): Faults => {
  const faults: Record<string, string[]> = {};
  for (const { path, keyword, params } of found.slice(0, MOST_FAULTS)) {
    const field = path === '' ? FIELD : `${FIELD}.${path}`;
    const message = `O campo ${field} ${complaintOf(keyword, params)}.`;
    const known = faults[field] ?? [];
    if (!known.includes(message)) faults[field] = [...known, message];
  }
  return faults;
};
