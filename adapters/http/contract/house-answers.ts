import Type, { type TSchema } from 'typebox';
import type { Context } from '../pipeline/context.ts';
import { houseErrorSchema } from './answer-shapes.ts';

/** The answer to faults of fields, as most routes describe it. */
export const INVALID = { 422: { description: 'Campos com erro', schema: houseErrorSchema } };

/** The house style of an answer that holds data. */
export const wrapped = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), response: Type.Object({ data }) });

export const answerWith = (ctx: Context, data: object, status = 200): void => {
  ctx.status = status;
  ctx.body = { success: true, response: { data } };
};
