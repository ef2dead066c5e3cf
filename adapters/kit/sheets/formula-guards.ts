/** What a spreadsheet takes for the start of a formula, also after blanks and invisible characters. */
const FORMULA = String.raw`[\p{Default_Ignorable_Code_Point}\p{White_Space}]*[=+\-@＝＋－＠﹦﹢﹣﹫−]`;

/** A spreadsheet that uses semicolons as separators sees a cell start after each of them, too. */
const START = new RegExp(`(^|;)(?='*${FORMULA})`, 'gu');
const GUARDED = new RegExp(`(^|;)'(?='*${FORMULA})`, 'gu');

/**
 * Puts an apostrophe where a spreadsheet sees the start of a formula, so that it shows a text. One
 * that begins with apostrophes gets one more: so exactly one can be taken away again.
 */
export const guardFormulas = (text: string): string => text.replaceAll(START, "$1'");

/** Takes away the apostrophes that `guardFormulas` has put. */
export const removeFormulaGuards = (text: string): string => text.replaceAll(GUARDED, '$1');
