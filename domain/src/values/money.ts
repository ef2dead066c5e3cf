/**
 * Money is a whole number of cents. A rate is a whole number of parts per million (ppm).
 * Only `proportion` multiplies and rounds, with integers only.
 */
declare const unit: unique symbol;

/** An amount in Brazilian cents: a safe integer, never a fraction. */
export type Cents = number & { readonly [unit]: 'cents' };

/** A rate in parts per million, 0 to 1,000,000: 7.38 % is 73,800. */
export type Rate = number & { readonly [unit]: 'ppm' };

/** How to round an exact half cent: away from zero, or to the even neighbour (ABNT NBR 5891). */
export type Rounding = 'half-up' | 'half-even';

const ROUNDINGS = ['half-up', 'half-even'] as const satisfies readonly Rounding[];

const MILLION = 1_000_000;

/** Max amount accepted from input: 100 billion reais, in cents. */
export const MAX_AMOUNT: Cents = 10_000_000_000_000 as Cents;

/** Shows a value in a message: a text in quotes, so that `'12'` differs from 12. */
const shown = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : String(value);

/**
 * Keeps wrong units of plain JavaScript from being calculated with.
 *
 * @param name of the value, in the error
 * @throws RangeError that names the unit
 */
export const checkCents = (name: string, value: unknown): void => {
  if (Number.isSafeInteger(value)) return;
  throw new RangeError(
    `${name} must be in cents, a whole number: R$ 1.50 is 150, not ${shown(value)}`,
  );
};

/** Checks a rate as `checkCents` checks cents. */
export const checkRate = (name: string, value: unknown): void => {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MILLION) return;
  throw new RangeError(
    `${name} must be in parts per million, a whole number from 0 to 1000000: 7.38 % is 73800, not ${shown(value)}`,
  );
};

/** Checks that a text is one of two words. */
export const checkWord = (name: string, value: unknown, words: readonly [string, string]): void => {
  if (value === words[0] || value === words[1]) return;
  throw new RangeError(`${name} must be ${words.join(' or ')}, not ${shown(value)}`);
};

export const checkRounding = (value: unknown): void => checkWord('rounding', value, ROUNDINGS);

/**
 * Makes an amount from a whole number of cents. Do not pass unchecked input to it.
 *
 * @example cents(188_60) // 18860
 * @throws RangeError when `value` is not a safe integer.
 */
export const cents = (value: number): Cents => {
  checkCents('an amount', value);
  // Adding 0 turns -0 into 0: JSON, `Object.is` and templates treat the two differently.
  return (value + 0) as Cents;
};

/**
 * Makes a rate from parts per million. Do not pass unchecked input to it.
 *
 * @example toPercent(rate(73_800)) // 7.38
 * @throws RangeError when `ppm` is not an integer from 0 to 1,000,000.
 */
export const rate = (ppm: number): Rate => {
  checkRate('a rate', ppm);
  return ppm as Rate;
};

export const ZERO: Cents = cents(0);

/**
 * Adds amounts.
 *
 * @example plus(cents(100), cents(50)) // 150
 * @throws RangeError when the sum is not a safe integer.
 */
export const plus = (...amounts: readonly Cents[]): Cents => {
  let sum: number = ZERO;
  for (const each of amounts) sum = cents(sum + each);
  return sum as Cents;
};

/** Subtracts an amount. @example minus(cents(100), cents(150)) // -50 */
export const minus = (from: Cents, amount: Cents): Cents => cents(from - amount);

/** Gives the smaller amount. @example min(cents(1), cents(2)) // 1 */
export const min = (one: Cents, other: Cents): Cents => Math.min(one, other) as Cents;

/** Gives the larger amount. @example max(cents(1), cents(2)) // 2 */
export const max = (one: Cents, other: Cents): Cents => Math.max(one, other) as Cents;

/**
 * Calculates `amount × part / whole`, rounded to the cent, where 0 ≤ part ≤ whole ≤ 2,000,000.
 * Exact for every amount: it divides by `whole` first, so that each product is a safe integer.
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

/**
 * Calculates `amount × of`, rounded to the cent: IOF of a net premium, a commission, a tariff.
 *
 * @example share(cents(18_860), rate(73_800), 'half-up') // 1392
 */
export const share = (amount: Cents, of: Rate, rounding: Rounding): Cents =>
  proportion(amount, of, MILLION, rounding);

/** Calculates the tax inside a gross amount: `gross × r / (1 + r)`, rounded to the cent. */
export const shareWithin = (gross: Cents, of: Rate, rounding: Rounding): Cents =>
  proportion(gross, of, MILLION + of, rounding);

/**
 * Calculates `amount × days / of`, rounded to the cent: the premium for some of the covered days.
 *
 * @throws RangeError unless both are whole numbers with 0 ≤ days ≤ of and 1 ≤ of ≤ 1,000,000.
 */
export const shareOfDays = (amount: Cents, days: number, of: number, rounding: Rounding): Cents => {
  const whole = Number.isInteger(days) && Number.isInteger(of);
  if (!whole || days < 0 || days > of || of < 1 || of > MILLION)
    throw new RangeError(`not a part of the days: ${days} of ${of}`);
  return proportion(amount, days, of, rounding);
};

/**
 * Splits `total` in proportion to `weights`. Each part is rounded towards zero. The first part with
 * a weight above 0 also takes the remainder, so that the parts sum to `total`. Equal weights give
 * the parts of `allocate`.
 *
 * @throws RangeError unless the weights are whole numbers from 0, and one of them is above 0.
 */
export const allocateByWeight = (total: Cents, weights: readonly number[]): readonly Cents[] => {
  const sum = weights.reduce((before, weight) => before + weight, 0);
  const isWhole = (weight: number): boolean => Number.isSafeInteger(weight) && weight >= 0;
  if (![...weights, sum].every(isWhole) || sum === 0)
    throw new RangeError(`not weights of a division: ${weights.join(', ')}`);
  const parts = weights.map((weight) =>
    cents(Number((BigInt(total) * BigInt(weight)) / BigInt(sum))),
  );
  const first = weights.findIndex((weight) => weight > 0);
  const remainder = minus(total, plus(...parts));
  return parts.map((part, index) => (index === first ? plus(part, remainder) : part));
};

/** The part that takes the remainder of an uneven division. */
export type Remainder = 'first' | 'last';

/**
 * Splits `total` into `count` equal parts. One of them also takes the remainder, so that the parts
 * sum to `total`.
 *
 * @example allocate(cents(100), 3) // [34, 33, 33]
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
