import Type, { type TSchema } from 'typebox';
import { type Cents, cents } from '#domain';

/** A field that may be null or missing. */
export const optional = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

/** Accepts rounding errors of floating point (32.11000000000001), but not half a cent. */
export const isWholeCents = (reais: number): boolean =>
  Math.abs(reais * 100 - Math.round(reais * 100)) < 1e-6 * Math.max(1, reais);

export const inCents = (reais: number): Cents => cents(Math.round(reais * 100));
