import { stringify } from 'csv-stringify/sync';
import { guardFormulas } from '../../../adapters/http/books/formula-guards.ts';

export type DifferenceKind = 'missing_here' | 'missing_there' | 'amount_differs' | 'status_differs';

export interface Difference {
  readonly kind: DifferenceKind;
  readonly name: string;
  readonly reason: string | null;
  readonly here: (Side & { readonly ticket: string; readonly booked_on: string | null }) | null;
  readonly there: (Side & { readonly line: number }) | null;
  readonly message: string;
}

interface Side {
  readonly total: number;
  readonly status: string | null;
}

const COLUMNS = [
  ...['diferenca', 'motivo', 'venda', 'ticket', 'linha'],
  ...[
    'total_extrato',
    'total_lista',
    'status_extrato',
    'status_lista',
    'dia_extrato',
    'explicacao',
  ],
];

const decimalComma = (amount: number | undefined): string =>
  amount === undefined ? '' : amount.toFixed(2).replace('.', ',');

const writeRow = (cells: readonly (string | number)[]): string =>
  stringify([cells], { delimiter: ';', record_delimiter: 'windows' });

/** A row for a difference. */
export const writeDifference = ({ kind, name, reason, here, there, message }: Difference): string =>
  writeRow([
    kind,
    reason ?? '',
    guardFormulas(name),
    here?.ticket ?? '',
    there?.line ?? '',
    decimalComma(here?.total),
    decimalComma(there?.total),
    here?.status ?? '',
    there?.status ?? '',
    here?.booked_on ?? '',
    message,
  ]);

/** The first row, after the mark by which spreadsheets know UTF-8. */
export const HEADER = `\uFEFF${writeRow(COLUMNS)}`;
