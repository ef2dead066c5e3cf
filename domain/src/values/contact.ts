import { ifText } from './text.ts';

declare const contact: unique symbol;

/** A telephone number, as it was written. */
export type Phone = string & { readonly [contact]: 'phone' };

/** An e-mail address of one recipient. */
export type Email = string & { readonly [contact]: 'email' };

/** Spaces, dashes of all kinds, and invisible marks that come with copied text. */
const withoutPunctuation = (text: string): string =>
  text.replaceAll(/[\p{Zs}\p{Pd}\p{Cf}\u2212()./]/gu, '');

/**
 * Accepts up to 30 characters: 8 to 15 digits (ITU-T E.164) and punctuation. Keeps the number as it
 * was written. Undefined for anything else, and for zeros alone.
 *
 * @example parsePhone('(11) 98765-4321') // '(11) 98765-4321'
 */
export const parsePhone = (given: unknown): Phone | undefined =>
  ifText(given, (text) => {
    const digits = withoutPunctuation(text);
    const isPhone = text.length <= 30 && /^\+?\d{8,15}$/.test(digits) && /[1-9]/.test(digits);
    return isPhone ? (text as Phone) : undefined;
  });

/** Country code, trunk prefix 0 with or without a carrier's code, area code, number. */
const BRAZILIAN = /^(?:(?:\+|00)?55)?(?:0(?:[1-9]\d)?)?([1-9]{2})(9\d{8}|[2-5]\d{7})$/;

/**
 * Area code and number in Brazil: 11 digits of a mobile phone, 10 of a landline (Resolução Anatel
 * 749/2022). Undefined for any other number.
 */
export const brazilianPhone = (phone: Phone): string | undefined =>
  BRAZILIAN.exec(withoutPunctuation(phone))?.slice(1).join('');

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ADDRESS = new RegExp(
  `^(?=.{1,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`,
  'i',
);

/**
 * Reads one plain address: lengths of RFC 5321, dot-atom of RFC 5322, a domain of two labels or
 * more. Undefined for anything else.
 *
 * Quotes, comments, display names and line breaks are not accepted: an address cannot forge a mail
 * header.
 *
 * @example parseEmail('Maria <maria@example.com>') // undefined
 */
export const parseEmail = (given: unknown): Email | undefined =>
  ifText(given, (text) => (ADDRESS.test(text) ? (text as Email) : undefined));
