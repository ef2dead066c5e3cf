import Type, { type TSchemaOptions } from 'typebox';
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
