import { type Cents, cents, MAX_AMOUNT, type Rate, rate } from './money.ts';

/** Reads a decimal as units of 10^-scale: at most `scale` decimals, no sign, no exponent. */
const parseScaled = (text: string, scale: number): number | undefined => {
  const match = /^(\d{1,15})(?:\.(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [, whole, fraction = ''] = match as unknown as [string, string, string?];
  if (fraction.length > scale) return undefined;
  const value = Number(whole + fraction.padEnd(scale, '0'));
  return Number.isSafeInteger(value) ? value : undefined;
};

const parseAmount = (text: string): Cents | undefined => {
  const value = parseScaled(text, 2);
  return value === undefined || value > MAX_AMOUNT ? undefined : cents(value);
};

/**
 * Reads an amount in reais from a JSON number.
 *
 * Undefined for a negative number, more than two decimals, `NaN`, an infinity, and more than 100
 * billion reais.
 *
 * @example centsFromNumber(188.6) // 18860
 */
export const centsFromNumber = (reais: unknown): Cents | undefined =>
  typeof reais === 'number' ? parseAmount(String(reais)) : undefined;

/**
 * Reads an amount in reais from text: `150`, `150.00`, `150,00`, `1.234,56`.
 *
 * Undefined for anything else, also for `1.234`: it is 1234 in Brazil and 1.234 elsewhere.
 *
 * @example centsFromText('1.234,56') // 123456
 */
export const centsFromText = (given: unknown): Cents | undefined => {
  const text = typeof given === 'string' ? given : '';
  const grouped = /^\d{1,3}(?:\.\d{3})+,\d{2}$/.test(text);
  return parseAmount(grouped ? text.replaceAll('.', '').replace(',', '.') : text.replace(',', '.'));
};

/** Converts cents to a JSON number in reais. @example toReais(cents(18_860)) // 188.6 */
export const toReais = (value: Cents): number => value / 100;

/**
 * Reads a rate in percent, 0 to 100 with at most four decimals. Undefined for anything else.
 *
 * @example rateFromPercent(7.38) // 73800
 */
export const rateFromPercent = (percent: unknown): Rate | undefined => {
  const ppm = typeof percent === 'number' ? parseScaled(String(percent), 4) : undefined;
  return ppm === undefined || ppm > 1_000_000 ? undefined : rate(ppm);
};

/** Converts a rate to a JSON number in percent. @example toPercent(rate(73_800)) // 7.38 */
export const toPercent = (value: Rate): number => value / 10_000;

/**
 * Writes cents as reais with two decimals, for tables and large sums: 18,860 is `188.60`, -5 is
 * `-0.05`. Exact for a `bigint` of any size.
 */
export const formatDecimal = (value: Cents | bigint): string => {
  const digits = String(value).replace('-', '').padStart(3, '0');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** Groups digits by three, the Brazilian way: `1234567` is `1.234.567`. */
const groupDigits = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, '.');

/** Writes an amount for people. @example formatReais(cents(-123_456)) // '-R$ 1.234,56' */
export const formatReais = (amount: Cents): string => {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}R$ ${groupDigits(digits.slice(0, -2))},${digits.slice(-2)}`;
};

/**
 * Reads an amount that a person wrote: `R$ 1.234,56`, `1.234,56`, `1234,56`, `-R$ 5,00`, `R$ 20`.
 * It is the inverse of `formatReais`.
 *
 * Undefined for anything else: other than two decimals, groups of other than three digits, or
 * more than 100 billion reais.
 *
 * @example parseReais('R$ 1.234') // 123400
 */
export const parseReais = (given: unknown): Cents | undefined => {
  const text = typeof given === 'string' ? given : '';
  const match = /^(-?)(?:R\$[ \u00A0]?)?(\d{1,3}(?:\.\d{3})+|\d{1,14})(?:,(\d\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction = '00'] = match as unknown as [string, string, string, string?];
  const value = Number(whole.replaceAll('.', '') + fraction);
  if (value > MAX_AMOUNT) return undefined;
  return cents(sign === '-' ? -value : value);
};

/** Writes a rate for people. @example formatPercent(rate(73_800)) // '7,38%' */
export const formatPercent = (value: Rate): string =>
  `${String(toPercent(value)).replace('.', ',')}%`;
