import { passesLuhn } from './luhn.ts';
import { ifText } from './text.ts';

/** The 27 federative units and the first two digits of their municipalities' IBGE codes. */
const IBGE_PREFIX = {
  RO: '11',
  AC: '12',
  AM: '13',
  RR: '14',
  PA: '15',
  AP: '16',
  TO: '17',
  MA: '21',
  PI: '22',
  CE: '23',
  RN: '24',
  PB: '25',
  PE: '26',
  AL: '27',
  SE: '28',
  BA: '29',
  MG: '31',
  ES: '32',
  RJ: '33',
  SP: '35',
  PR: '41',
  SC: '42',
  RS: '43',
  MS: '50',
  MT: '51',
  GO: '52',
  DF: '53',
} as const;

/** A federative unit (UF): two capital letters. */
export type Uf = keyof typeof IBGE_PREFIX;

export const UFS = Object.keys(IBGE_PREFIX) as readonly Uf[];

/** Whether a value is a federative unit. @example isUf('SP') // true */
export const isUf = (given: unknown): given is Uf =>
  typeof given === 'string' && Object.hasOwn(IBGE_PREFIX, given);

declare const postcode: unique symbol;

/** A postal code (CEP): eight digits, without punctuation. */
export type Postcode = string & { readonly [postcode]: true };

/**
 * Reads a postal code. Undefined for anything else.
 *
 * @example parsePostcode('01001-000') // '01001000'
 */
export const parsePostcode = (given: unknown): Postcode | undefined =>
  ifText(given, (text) =>
    /^\d{5}-?\d{3}$/.test(text) ? (text.replace('-', '') as Postcode) : undefined,
  );

/** Writes a postal code for people: `01001-000`. */
export const formatPostcode = (code: Postcode): string => `${code.slice(0, 5)}-${code.slice(5)}`;

/** The only nine codes whose check digit breaks IBGE's own rule. */
const IBGE_EXCEPTIONS: ReadonlySet<string> = new Set([
  '2201919',
  '2201988',
  '2202251',
  '2611533',
  '3117836',
  '3152131',
  '4305871',
  '5203939',
  '5203962',
]);

declare const municipality: unique symbol;

/**
 * An IBGE municipality code: seven digits. The first two are the state's prefix. The last is a
 * check digit, with nine published exceptions.
 */
export type MunicipalityCode = string & { readonly [municipality]: true };

/**
 * Reads a code with the state's prefix and a valid check digit. Undefined for anything else.
 * It does not check that IBGE has assigned the code.
 */
export const parseMunicipalityCode = (given: unknown, state: Uf): MunicipalityCode | undefined =>
  ifText(given, (text) => {
    const wellFormed = /^\d{7}$/.test(text) && text.startsWith(IBGE_PREFIX[state]);
    return wellFormed && (IBGE_EXCEPTIONS.has(text) || passesLuhn(text))
      ? (text as MunicipalityCode)
      : undefined;
  });

/** Address of the insured. */
export interface Address {
  readonly street: string;
  readonly number?: string;
  readonly complement?: string;
  readonly district: string;
  readonly city: string;
  readonly state: Uf;
  readonly postcode: Postcode;
  readonly ibgeCode?: MunicipalityCode;
}
