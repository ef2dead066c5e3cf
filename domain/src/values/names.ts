declare const externalSaleId: unique symbol;

/** A channel's own name for a sale, composed (Unicode NFC): the same name, however it was typed, is the same text. */
export type ExternalSaleId = string & { readonly [externalSaleId]: true };

/** Characters that print nothing: default-ignorable ones (UAX #44), the empty braille pattern, blanks other than a space. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u;

/**
 * Reads a name that identifies a sale. Undefined for an empty text, one with spaces around it, one with an invisible character
 * (two names that look the same would be two sales), and for `.` and `..`, with which no path can end.
 */
export const parseExternalSaleId = (text: string): ExternalSaleId | undefined =>
  text === '' || UNSEEN.test(text) || text !== text.trim() || /^\.{1,2}$/.test(text)
    ? undefined
    : (text.normalize('NFC') as ExternalSaleId);

/** Whether there is something to see in a text: a letter, digit, punctuation mark or symbol that prints. */
export const isVisible = (text: string): boolean =>
  /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);
