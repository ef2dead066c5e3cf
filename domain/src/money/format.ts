import { toPercent } from './decimal.ts';
import { type Cents, cents, MAX_AMOUNT, type Rate } from './money.ts';

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
