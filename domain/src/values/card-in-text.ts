import { isCardNumber } from './card-number.ts';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** No text that is stored is longer. */
const MAX_SEARCHED = 4_000;

/** Invisible characters: blanks without width, soft hyphens, variants and frames of emoji digits. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{M}]/gu;

/**
 * Numbers of other kinds: UUIDs (RFC 9562) and long hexadecimal texts, which name requests and
 * sales (one in some ten thousand has the digits of a card by chance), days and phones of Brazil.
 */
const OTHER_NUMBERS =
  /(?<![0-9a-z])(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|(?=\d*[a-f]\d*[a-f])[0-9a-f]{24,}|(?:0[1-9]|[12]\d|3[01])[/.-](?:0[1-9]|1[0-2])[/.-]20\d\d|\d\d 9?\d{4}-\d{4})(?![0-9a-z])/gi;

/** Groups of digits. Commas, semicolons, colons, plus signs and brackets part other numbers. */
const DIGITS = /\d+(?:[^\p{L}\p{N}\p{Ps}\p{Pe},;:+]+\d+)*/gu;

/**
 * Whether a text holds the number of a payment card, in any script, whole or in groups, however
 * they are separated: a known brand, its length, and a right check digit. One number in ten of any
 * other kind has a right check digit by chance; `OTHER_NUMBERS` do not count. Only the first 4,000
 * characters of a long text are searched.
 */
export const holdsCardNumber = (text: string): boolean => {
  const searched = text.slice(0, MAX_SEARCHED);
  if (!mayHoldCard(searched)) return false;
  const plain = searched
    .replaceAll(HIDDEN, '')
    .normalize('NFKC')
    .replaceAll(/(?!\d)\p{Nd}/gu, toAsciiDigit)
    .replaceAll(OTHER_NUMBERS, 'x');
  return Array.from(plain.matchAll(DIGITS)).some(([run]) => hasCardAmong(run.split(/\D+/)));
};

/** Whether enough digits follow each other without a letter. The fastest way to tell: most do not. */
const mayHoldCard = (text: string): boolean => {
  let digits = 0;
  for (let at = 0; at < text.length && digits < MIN_DIGITS; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) digits = isAsciiLetter(unit) ? 0 : digits + (isAsciiDigit(unit) ? 1 : 0);
    // Superscripts, and digits of other scripts: one character can stand for two, such as U+246B.
    else if ((unit > 0xb1 && unit < 0xc0) || unit > 0x65f) digits += 2;
  }
  return digits >= MIN_DIGITS;
};

const isAsciiDigit = (unit: number): boolean => unit > 0x2f && unit < 0x3a;

const isAsciiLetter = (unit: number): boolean => (unit | 0x20) > 0x60 && (unit | 0x20) < 0x7b;

const DIGIT = /\p{Nd}/u;

/** Unicode keeps the ten digits of a script together, in order. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) as number;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
};

const hasCardAmong = (groups: readonly string[]): boolean =>
  groups.some((_, first) => {
    let digits = '';
    for (let at = first; at < groups.length && digits.length < MAX_DIGITS; at += 1) {
      digits += groups[at];
      if (digits.length >= MIN_DIGITS && isCardNumber(digits)) return true;
    }
    return false;
  });
