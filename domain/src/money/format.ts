import { percent } from './decimal.ts';
import { type Cents, cents, MAX_AMOUNT, type Rate } from './money.ts';

/** Digits in groups of three, as Brazilians write them: `1234567` is `1.234.567`. */
const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, '.');

/** For people to read: 123,456 cents is `R$ 1.234,56`; a negative amount is `-R$ 1.234,56`. */
export const formatReais = (amount: Cents): string => {
  const digits = String(Math.abs(amount)).padStart(3, '0');
  return `${amount < 0 ? '-' : ''}R$ ${grouped(digits.slice(0, -2))},${digits.slice(-2)}`;
};

/**
 * Reads what people write: `R$ 1.234,56`, `1.234,56`, `1234,56`, `-R$ 5,00`, `R$ 20`. The inverse of `formatReais`.
 * Undefined for anything else: decimals other than two, groups other than three, more than `MAX_AMOUNT`.
 */
export const parseReais = (text: string): Cents | undefined => {
  const match = /^(-?)(?:R\$[ \u00A0]?)?(\d{1,3}(?:\.\d{3})+|\d{1,14})(?:,(\d\d))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole, fraction = '00'] = match as unknown as [string, string, string, string?];
  const value = Number(whole.replaceAll('.', '') + fraction);
  if (value > MAX_AMOUNT) return undefined;
  return cents(sign === '-' ? -value : value);
};

/** For people to read: 73,800 ppm is `7,38%`. */
export const formatPercent = (value: Rate): string =>
  `${String(percent(value)).replace('.', ',')}%`;
