import { saleOrder } from './generic-sales.ts';

/** Below `{base_url}`. */
export const IMPORT = '/private/integration/sales/import';

/** A line of the answer to an import, or its last line. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into lines of every shape
export type ImportLine = any;

/** A file of sales, one per line. */
export const fileOf = (sales: readonly unknown[]): string =>
  sales.map((each) => `${typeof each === 'string' ? each : JSON.stringify(each)}\n`).join('');

/** Sales named `prefix-1`, `prefix-2`… */
export const numberedSales = (prefix: string, count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => saleOrder({ externalSaleId: `${prefix}-${at + 1}` }));

export const linesOf = (text: string): readonly ImportLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
