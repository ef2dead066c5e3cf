import type { ErrorCode } from '../contract/error-codes.ts';

/** The first of them that a header has most of separates its cells. */
export const SEPARATORS = [',', ';', '\t'] as const;

export type Separator = (typeof SEPARATORS)[number];

/** A line of a file: its record, or why it cannot be read. */
export type ReadLine = {
  /** The number of the line in the file, from 1; of several lines, the number of the first. */
  readonly line: number;
} & (LineRecord | { readonly fault: LineFault; readonly record?: never });

export interface LineRecord {
  /**
   * The fields. A CSV gives the text of each cell that is not empty, under the name of its column.
   */
  readonly record: Readonly<Record<string, unknown>>;
  /** What parts the cells of a CSV. Without a comma there, amounts have decimal commas. */
  readonly separator: Separator | undefined;
  readonly fault?: never;
}

/** Why a line cannot be read. */
export interface LineFault {
  readonly code: Extract<
    ErrorCode,
    'invalid_json' | 'invalid_csv' | 'invalid_encoding' | 'body_too_large'
  >;
  /** A sentence in Portuguese. */
  readonly message: string;
}

const KIB = 1024;

export const tooLong = (maxLineBytes: number): LineFault => ({
  code: 'body_too_large',
  message: `A linha excede ${Math.floor(maxLineBytes / KIB)} KiB.`,
});

export const NOT_UTF8: LineFault = {
  code: 'invalid_encoding',
  message: 'A linha não está em UTF-8.',
};

export const NOT_JSON: LineFault = {
  code: 'invalid_json',
  message: 'A linha não é um JSON válido.',
};

export const NOT_OBJECT: LineFault = {
  code: 'invalid_json',
  message: 'A linha deve ser um objeto JSON.',
};

export const WRONG_QUOTES: LineFault = {
  code: 'invalid_csv',
  message:
    'As aspas da linha não combinam: um campo com aspas começa e termina com elas, e as de dentro são duplas.',
};

export const wrongCells = (cells: number, columns: number): LineFault => ({
  code: 'invalid_csv',
  message: `A linha tem ${cells} campos, e o cabeçalho tem ${columns}.`,
});
