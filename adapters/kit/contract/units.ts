import Type, { type TSchemaOptions } from 'typebox';
import { type Cents, type Rate, toPercent, toReais } from '#domain';

declare const unit: unique symbol;

/** The units of answers. The compiler refuses cents and ppm where an answer's schema has these. */
export type Reais = number & { readonly [unit]: 'reais' };
export type Percent = number & { readonly [unit]: 'percent' };

export const inReais = toReais as (amount: Cents) => Reais;
export const inPercent = toPercent as (rate: Rate) => Percent;

/** An amount in an answer, in reais. */
export const reaisShape = (options: TSchemaOptions = {}) =>
  Type.Unsafe<Reais>(Type.Number(options));

/** A rate in an answer, in percent. */
export const percentShape = (options: TSchemaOptions = {}) =>
  Type.Unsafe<Percent>(Type.Number(options));
