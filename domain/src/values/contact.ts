declare const contact: unique symbol;

/** A telephone number as it was written. */
export type Phone = string & { readonly [contact]: 'phone' };

/** An e-mail address that one message can be sent to. */
export type Email = string & { readonly [contact]: 'email' };

/** The digits of a telephone number, its country code with them where it was given. */
export const phoneDigits = (phone: Phone): string => phone.replaceAll(/\D/g, '');

/** Keeps a number as it was written, up to 30 characters, if 8 to 15 digits (ITU-T E.164) remain once its punctuation is taken away. */
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
 * Reads one plain address (RFC 5321's lengths, RFC 5322's dot-atom, a domain of at least two labels); undefined for
 * anything else. No quotes, comments, names or line breaks, so that no mail header can be forged with one.
 */
export const parseEmail = (text: string): Email | undefined =>
  ADDRESS.test(text) ? (text as Email) : undefined;
