import { ifText } from './text.ts';

declare const taxId: unique symbol;

/** Tax id of a person: 11 digits, the last two check digits. */
export type Cpf = string & { readonly [taxId]: 'cpf' };

/**
 * Tax id of a company: 14 characters, the last two check digits. The others are digits or, since
 * July 2026, capital letters.
 */
export type Cnpj = string & { readonly [taxId]: 'cnpj' };

export type TaxId = Cpf | Cnpj;

const weightedDigit = (characters: string, weightOf: (index: number) => number): string => {
  let sum = 0;
  for (let index = 0; index < characters.length; index++)
    sum += (characters.charCodeAt(index) - 48) * weightOf(index);
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
};

/** Rule of Receita Federal: weights fall from `length + 1` to 2. */
const cpfDigit = (base: string): string => weightedDigit(base, (index) => base.length + 1 - index);

/**
 * IN RFB 2.229/2024: the value of a character is its ASCII code less 48; the weights repeat 2 to 9
 * from the right.
 */
const cnpjDigit = (base: string): string =>
  weightedDigit(base, (index) => ((base.length - 1 - index) % 8) + 2);

const isRepetition = (text: string): boolean => text === text.charAt(0).repeat(text.length);

const checked = (text: string, digit: (base: string) => string): boolean => {
  const base = text.slice(0, -2);
  const first = digit(base);
  return !isRepetition(text) && text.endsWith(first + digit(base + first));
};

const withoutPunctuation = (text: string): string => text.replaceAll(/[.\-/]/g, '');

/**
 * Reads a CPF. Undefined for anything else. @example parseCpf('111.444.777-35') // '11144477735'
 */
export const parseCpf = (given: unknown): Cpf | undefined =>
  ifText(given, (text) => {
    const digits = withoutPunctuation(text);
    return /^\d{11}$/.test(digits) && checked(digits, cpfDigit) ? (digits as Cpf) : undefined;
  });

/**
 * Reads a CNPJ, letters of any case. Undefined for anything else.
 *
 * @example parseCnpj('12.abc.345/01DE-35') // '12ABC34501DE35'
 */
export const parseCnpj = (given: unknown): Cnpj | undefined =>
  ifText(given, (text) => {
    const characters = withoutPunctuation(text);
    if (!/^[0-9A-Za-z]{12}\d{2}$/.test(characters)) return undefined;
    const capitals = characters.toUpperCase();
    return checked(capitals, cnpjDigit) ? (capitals as Cnpj) : undefined;
  });

/** Reads a CPF or a CNPJ. @example parseTaxId('111.444.777-35') // '11144477735' */
export const parseTaxId = (given: unknown): TaxId | undefined =>
  parseCpf(given) ?? parseCnpj(given);

/**
 * Writes a tax id for people.
 *
 * @example formatTaxId(parseTaxId('12abc34501de35')) // '12.ABC.345/01DE-35'
 */
export const formatTaxId = (id: TaxId): string =>
  id.length === 11
    ? id.replace(/(...)(...)(...)/, '$1.$2.$3-')
    : id.replace(/(..)(...)(...)(....)/, '$1.$2.$3/$4-');
