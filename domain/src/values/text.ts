/**
 * The rule of all readers: what is no text is undefined, as is a text of another form. So `null`, a
 * number and a missing field need no check before.
 */
export const ifText = <Read>(given: unknown, read: (text: string) => Read | undefined) =>
  typeof given === 'string' ? read(given) : undefined;

declare const externalSaleId: unique symbol;

/** A channel's own id of a sale, in Unicode NFC: ids that look the same are the same text. */
export type ExternalSaleId = string & { readonly [externalSaleId]: true };

/**
 * Characters that print nothing: default-ignorable ones (UAX #44), the empty braille pattern, and
 * blanks other than a space.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u;

/**
 * Reads a channel's id of a sale.
 *
 * Undefined for an empty text, leading or trailing spaces, `.` and `..` (URL paths drop them), and
 * invisible characters, because two ids that look the same would name two sales.
 */
export const parseExternalSaleId = (given: unknown): ExternalSaleId | undefined =>
  ifText(given, (text) =>
    text === '' || UNSEEN.test(text) || text !== text.trim() || /^\.{1,2}$/.test(text)
      ? undefined
      : (text.normalize('NFC') as ExternalSaleId),
  );

/** Whether the text has a letter, digit, punctuation mark or symbol that prints. */
export const isVisible = (text: string): boolean =>
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
