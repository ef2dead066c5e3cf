import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { type LineFault, NOT_UTF8, type Separator, WRONG_QUOTES, wrongCells } from './read-line.ts';

/** A record of a CSV file: its cells, or why it cannot be read. */
export type CsvRecord = { readonly line: number } & (
  | { readonly cells: readonly string[]; readonly fault?: never }
  | { readonly fault: LineFault; readonly cells?: never }
);

/** A complete record that is not parsed yet. */
export interface Unparsed {
  readonly line: number;
  readonly bytes: Buffer;
}

export interface CsvForm {
  readonly separator: Separator;
  /** What the cells must fit; undefined: anything, as in a header. */
  readonly columns?: readonly string[];
}

export const LINE_FEED = Buffer.from('\n');

/** Parses records of one line. A faulty one makes the parser stop: then each is parsed alone. */
export function* parseTogether(records: readonly Unparsed[], form: CsvForm): Generator<CsvRecord> {
  const rows = parseRows(records, form);
  for (const [index, record] of records.entries())
    yield rows === undefined
      ? parseOne(record, form)
      : fitColumns(record.line, rows[index] as string[], form);
}

export const parseOne = (record: Unparsed, form: CsvForm): CsvRecord => {
  const { line, bytes } = record;
  const [cells] = parseRows([record], form) ?? [];
  if (cells !== undefined) return fitColumns(line, cells, form);
  return { line, fault: isUtf8(bytes) ? WRONG_QUOTES : NOT_UTF8 };
};

/** The cells of each record; undefined if one of them is faulty. */
const parseRows = (
  records: readonly Unparsed[],
  { separator }: CsvForm,
): readonly string[][] | undefined => {
  const whole = Buffer.concat(records.flatMap(({ bytes }) => [bytes, LINE_FEED]));
  if (!isUtf8(whole)) return undefined;
  try {
    const rows = parse(whole, {
      delimiter: separator,
      record_delimiter: '\n',
      relax_column_count: true,
    });
    return rows.length === records.length ? rows : undefined;
  } catch {
    return undefined;
  }
};

const fitColumns = (line: number, cells: readonly string[], { columns }: CsvForm): CsvRecord =>
  columns === undefined || areBlank(cells) || fits(cells, columns)
    ? { line, cells }
    : { line, fault: wrongCells(cells.length, columns.length) };

/** Spreadsheets write empty rows as separators. */
export const areBlank = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === '');

/** Cells without a column, or whose column has no name, must be empty. */
const fits = (cells: readonly string[], columns: readonly string[]): boolean =>
  cells.length >= columns.length && cells.every((cell, at) => cell === '' || !!columns[at]);
