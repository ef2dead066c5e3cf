import { stringify } from 'csv-stringify/sync';
import { guardFormulas } from '../kit/sheets/formula-guards.ts';

/** The mark by which spreadsheets know UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** Writes a row as Brazilian spreadsheets open it. No text of it becomes a formula. */
export const writeRow = (cells: readonly (string | number)[]): string =>
  stringify([cells.map((cell) => (typeof cell === 'string' ? guardFormulas(cell) : cell))], {
    delimiter: ';',
    record_delimiter: 'windows',
  });

/** An amount in reais, as `1234,56`. */
export const decimalComma = (amount: number | undefined): string =>
  amount === undefined ? '' : amount.toFixed(2).replace('.', ',');
