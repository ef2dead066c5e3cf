/**
 * Money is a whole number of cents; a rate is a whole number of parts per million.
 * One function multiplies and rounds (`proportion`), in integers alone. Everything else is sums and allocation.
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
  // There is no negative zero among amounts: it would compare and print in surprising ways.
  return (value + 0) as Cents;
};

/** @throws RangeError when `ppm` is not an integer from 0 to 1,000,000. */
export const rate = (ppm: number): Rate => {
  if (!Number.isInteger(ppm) || ppm < 0 || ppm > MILLION)
    throw new RangeError(`not a rate in parts per million: ${ppm}`);
  return ppm as Rate;
};

export const ZERO: Cents = cents(0);

/** The sum, checked to stay in the safe range. */
export const plus = (...amounts: readonly Cents[]): Cents => {
  let sum: number = ZERO;
  for (const each of amounts) sum = cents(sum + each);
  return sum as Cents;
};

export const minus = (from: Cents, amount: Cents): Cents => cents(from - amount);

export const smaller = (one: Cents, other: Cents): Cents => Math.min(one, other) as Cents;

export const larger = (one: Cents, other: Cents): Cents => Math.max(one, other) as Cents;

/**
 * `amount × part / whole`, rounded to the cent, where 0 ≤ part ≤ whole ≤ 2,000,000.
 * The amount is taken apart by `whole` first, so that no product leaves the safe range: exact for every amount of cents.
 */
const proportion = (amount: Cents, part: number, whole: number, rounding: Rounding): Cents => {
  const rest = amount % whole;
  const product = rest * part;
  const remainder = product % whole;
  const towardsZero = ((amount - rest) / whole) * part + (product - remainder) / whole;
  const twice = 2 * Math.abs(remainder);
  const awayFromZero =
    twice > whole || (twice === whole && (rounding === 'half-up' || towardsZero % 2 !== 0));
  return cents(awayFromZero ? towardsZero + Math.sign(amount) : towardsZero);
};

/** `amount × of`, rounded to the cent: the IOF of a net premium, a commission, a tariff. */
export const share = (amount: Cents, of: Rate, rounding: Rounding): Cents =>
  proportion(amount, of, MILLION, rounding);

/** The part of `gross` that a rate added to it on top: `gross × r / (1 + r)`, rounded to the cent. */
export const shareWithin = (gross: Cents, of: Rate, rounding: Rounding): Cents =>
  proportion(gross, of, MILLION + of, rounding);

/**
 * `amount × days / of`, rounded to the cent: the part of a premium that falls on some of the days covered.
 *
 * @throws RangeError unless both are whole numbers with 0 ≤ days ≤ of and 1 ≤ of ≤ 1,000,000.
 */
export const shareOfDays = (amount: Cents, days: number, of: number, rounding: Rounding): Cents => {
  const whole = Number.isInteger(days) && Number.isInteger(of);
  if (!whole || days < 0 || days > of || of < 1 || of > MILLION)
    throw new RangeError(`not a part of the days: ${days} of ${of}`);
  return proportion(amount, days, of, rounding);
};

/** Which of the parts takes what does not divide evenly. */
export type Remainder = 'first' | 'last';

/**
 * `total` in `count` equal parts but for one, which takes the remainder: no cent is lost.
 *
 * @throws RangeError when `count` is not a positive integer.
 */
export const allocate = (
  total: Cents,
  count: number,
  remainder: Remainder = 'first',
): readonly Cents[] => {
  if (!Number.isInteger(count) || count < 1)
    throw new RangeError(`not a number of parts: ${count}`);
  const part = (total - (total % count)) / count;
  const parts = new Array<Cents>(count).fill(cents(part));
  parts[remainder === 'first' ? 0 : count - 1] = cents(total - part * (count - 1));
  return parts;
};
