import type { Static, TSchema } from 'typebox';
import type { Context } from '../context.ts';
import { validator } from '../validation.ts';
import { tokenError } from './errors.ts';

/** A validated body, or `invalid_request` with all its faults. */
export const checkedBy = <Schema extends TSchema>(schema: Schema) => {
  const check = validator(schema);
  return (ctx: Context): Static<Schema> => {
    const checked = check(ctx.request.body as object);
    if (!checked.ok) throw tokenError('invalid_request', Object.values(checked.faults)[0]?.[0] ?? '', checked.faults);
    return checked.value;
  };
};
