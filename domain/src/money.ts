/**
 * Money is a whole number of cents; a rate is a whole number of parts per million.
 * `share` is the only function that multiplies the two and rounds. Everything else is sums and allocation.
 */
declare const unit: unique symbol;

/** An amount in Brazilian cents: a safe integer, never a fraction. */
export type Cents = number & { readonly [unit]: 'cents' };

/** A rate in parts per million, 0 to 1,000,000: 7.38 % is 73,800. */
export type Rate = number & { readonly [unit]: 'ppm' };

/** What becomes of an exact half cent: away from zero, or to the even neighbour (ABNT NBR 5891). */
export type Rounding = 'half-up' | 'half-even';

const MILLION = 1_000_000;

/** The largest amount taken from outside, 100 billion reais: far above any sale, far below the safe range. */
export const MAX_AMOUNT: Cents = 10_000_000_000_000 as Cents;

/** @throws RangeError when `value` is not a safe integer: a programming error, never a caller's input. */
export const cents = (value: number): Cents => {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of cents: ${value}`);
  return value as Cents;
};

/** @throws RangeError when `ppm` is not an integer from 0 to 1,000,000. */
export const rate = (ppm: number): Rate => {
  if (!Number.isInteger(ppm) || ppm < 0 || ppm > MILLION) throw new RangeError(`not a rate in parts per million: ${ppm}`);
  return ppm as Rate;
};

export const ZERO: Cents = cents(0);

/** The sum, checked to stay in the safe range. */
export const plus = (...amounts: readonly Cents[]): Cents => cents(amounts.reduce<number>((sum, each) => sum + each, 0));

export const minus = (from: Cents, amount: Cents): Cents => cents(from - amount);

const divideRounded = (dividend: bigint, divisor: bigint, rounding: Rounding): Cents => {
  const magnitude = dividend < 0n ? -dividend : dividend;
  const quotient = magnitude / divisor;
  const twiceRest = (magnitude % divisor) * 2n;
  const up = twiceRest > divisor || (twiceRest === divisor && (rounding === 'half-up' || quotient % 2n === 1n));
  const rounded = up ? quotient + 1n : quotient;
  return cents(Number(dividend < 0n ? -rounded : rounded));
};

/** `amount × of`, rounded to the cent: the IOF of a net premium, a commission, a tariff. */
export const share = (amount: Cents, of: Rate, rounding: Rounding): Cents =>
  divideRounded(BigInt(amount) * BigInt(of), BigInt(MILLION), rounding);

/** The part of `gross` that a rate added to it on top: `gross × r / (1 + r)`, rounded to the cent. */
export const shareWithin = (gross: Cents, of: Rate, rounding: Rounding): Cents =>
  divideRounded(BigInt(gross) * BigInt(of), BigInt(MILLION) + BigInt(of), rounding);

/**
 * `total` in `count` parts that differ only in the first, which takes the remainder: no cent is lost.
 *
 * @throws RangeError when `count` is not a positive integer.
 */
export const allocate = (total: Cents, count: number): readonly Cents[] => {
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`not a number of parts: ${count}`);
  const part = Math.trunc(total / count);
  return Array.from({ length: count }, (_, index) => cents(index === 0 ? total - part * (count - 1) : part));
};
