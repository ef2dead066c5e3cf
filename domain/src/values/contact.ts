declare const contact: unique symbol;

/** A telephone number, as it was written. */
export type Phone = string & { readonly [contact]: 'phone' };

/** An e-mail address of one recipient. */
export type Email = string & { readonly [contact]: 'email' };

/** Returns the digits, with the country code if the number has one. */
export const phoneDigits = (phone: Phone): string => phone.replaceAll(/\D/g, '');

/**
 * Accepts up to 30 characters with 8 to 15 digits (ITU-T E.164), spaces, parentheses, dots and
 * hyphens. Keeps the number as it was written. Undefined for anything else.
 */
export const parsePhone = (text: string): Phone | undefined =>
  text.length <= 30 && /^\+?\d{8,15}$/.test(text.replaceAll(/[\p{Zs}().-]/gu, ''))
    ? (text as Phone)
    : undefined;

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
 */
export const parseEmail = (text: string): Email | undefined =>
  ADDRESS.test(text) ? (text as Email) : undefined;
