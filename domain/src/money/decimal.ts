import { type Cents, cents, MAX_AMOUNT, type Rate, rate } from './money.ts';

/** At most `scale` decimals, no sign, no exponent; the value in units of 10^-scale. */
const scaled = (text: string, scale: number): number | undefined => {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole, fraction = ''] = match as unknown as [string, string, string?];
  if (fraction.length > scale) return undefined;
  const value = Number(whole + fraction.padEnd(scale, '0'));
  return Number.isSafeInteger(value) ? value : undefined;
};

const amount = (text: string): Cents | undefined => {
  const value = scaled(text, 2);
  return value === undefined || value > MAX_AMOUNT ? undefined : cents(value);
};

/**
 * An amount in reais from a JSON number: `188.6` is 18,860 cents.
 * Undefined for a negative, more than two decimals, `NaN`, an infinity, or more than `MAX_AMOUNT`.
 */
export const centsFromNumber = (reais: number): Cents | undefined => amount(String(reais));

/**
 * An amount in reais from text: `150`, `150.00`, `150,00`, `1.234,56`.
 * Undefined for anything else. `1.234` is refused: it is a thousand to some and one and a bit to others.
 */
export const centsFromText = (text: string): Cents | undefined => {
  const grouped = /^\d{1,3}(?:\.\d{3})+,\d{2}$/.test(text);
  return amount(grouped ? text.replaceAll('.', '').replace(',', '.') : text.replace(',', '.'));
};

/** Cents as a JSON number in reais with at most two decimals: 18,860 is `188.6`. */
export const reais = (value: Cents): number => value / 100;

/** A rate from percent, at most four decimals, 0 to 100: `7.38` is 73,800 ppm. Undefined for anything else. */
export const rateFromPercent = (percent: number): Rate | undefined => {
  const ppm = scaled(String(percent), 4);
  return ppm === undefined || ppm > 1_000_000 ? undefined : rate(ppm);
};

/** A rate as a JSON number in percent: 73,800 ppm is `7.38`. */
export const percent = (value: Rate): number => value / 10_000;

/** Cents as a decimal of reais with two places, exact however large: 18,860 is `188.60`, -5 is `-0.05`. For sums, and for tables. */
export const decimalOf = (value: Cents | bigint): string => {
  const digits = String(value).replace('-', '').padStart(3, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
