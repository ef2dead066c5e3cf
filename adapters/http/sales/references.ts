import Type, { type TSchemaOptions } from 'typebox';
import type { Reference } from '#domain';
import { complain, type FieldFaults } from '../contract/field-faults.ts';
import { text } from '../contract/formats.ts';

/** A product, plan or coverage of the catalogue, by id, by code, or by both, which must agree. */
export const referenceBody = (description: string, options: TSchemaOptions = {}) =>
  Type.Object(
    { id: Type.Optional(Type.Integer({ minimum: 1 })), code: Type.Optional(text(50)) },
    {
      title: 'CatalogueReference',
      description: `${description}: id, code ou ambos`,
      ...options,
    },
  );

export const isReference = (sent: object | undefined): sent is Reference =>
  sent !== undefined && Object.keys(sent).length > 0;

/** Names each item of a list by its path: `coverages.0`. */
export const listReferences = (
  field: string,
  references: readonly object[] = [],
): Readonly<Record<string, object>> =>
  Object.fromEntries(references.map((each, index) => [`${field}.${index}`, each]));

/**
 * Each reference must have an id or a code.
 *
 * @param references the sound parts of each, by path
 * @param faults of single fields
 */
export const findReferenceFaults = (
  references: Readonly<Record<string, object | undefined>>,
  faults: FieldFaults,
): FieldFaults => {
  const isFaulty = (field: string) =>
    Object.keys(faults).some((path) => path.startsWith(`${field}.`));
  const empty = Object.entries(references).filter(
    ([field, each]) => each !== undefined && !isReference(each) && !isFaulty(field),
  );
  return Object.fromEntries(
    empty.map(([field]) => [
      `${field}.id`,
      [complain('required', `O campo ${field} deve ter id ou code.`)],
    ]),
  );
};
