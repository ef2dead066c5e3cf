import Type, { type Static, type TSchema, type TSchemaOptions } from 'typebox';
import type { Context } from '../pipeline/context.ts';
import { text } from '../contract/formats.ts';
import { valueOr } from '../contract/validation.ts';
import { tokenError } from './oauth-errors.ts';

/** A parameter of OAuth that may be left out. */
export const word = (options: TSchemaOptions = {}) => Type.Optional(text(512, options));

/** A validated body, or `invalid_request` with all its faults. */
export const checkedBy = <Schema extends TSchema>(schema: Schema) => {
  const soundBody = valueOr(schema, (faults) =>
    tokenError('invalid_request', Object.values(faults)[0]?.[0] ?? '', faults),
  );
  return (ctx: Context): Static<Schema> => soundBody(ctx.request.body as object);
};
