import type { FuncKeywordDefinition } from 'ajv/dist/2020.js';
import { _ } from 'ajv/dist/2020.js';

/** A number as the decimal that it is written as: `digits` × 10^`exponent`. */
const toDecimal = (value: number) => {
  const [mantissa = '', exponent] = value.toExponential().split('e');
  const [whole, fraction = ''] = mantissa.split('.');
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
};

/** Whether a decimal is a multiple of another one. Floating point has no exact 0.01. */
const isMultipleOf = (step: number, value: number): boolean => {
  const [one, other] = [toDecimal(value), toDecimal(step)];
  const exponent = Math.min(one.exponent, other.exponent);
  const [digits, stepDigits] = [one, other].map(
    (each) => each.digits * 10n ** BigInt(each.exponent - exponent),
  );
  return (digits as bigint) % (stepDigits as bigint) === 0n;
};

/** `multipleOf` of JSON Schema for decimals. Ajv's own divides, which rounds large numbers. */
export const MULTIPLE_OF: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  validate: isMultipleOf,
  errors: false,
  error: {
    message: 'must be a multiple',
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
};
