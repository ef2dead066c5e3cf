import { BYTE_ORDER_MARK, decimalComma, writeRow } from './spreadsheet-rows.ts';

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

/** The words of the summary. */
const KINDS: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'na lista e não no extrato',
  missing_there: 'no extrato e não na lista',
  amount_differs: 'outro valor',
  status_differs: 'outro status',
};

const REASONS: Readonly<Record<string, string>> = {
  unknown: 'venda desconhecida',
  not_paid: 'não paga',
  other_period: 'outro período',
  repeated: 'linha repetida',
};

/** A row for a difference. */
export const writeDifference = ({ kind, name, reason, here, there, message }: Difference): string =>
  writeRow([
    // A later version of the service may have more kinds and reasons.
    KINDS[kind] ?? kind,
    REASONS[reason ?? ''] ?? reason ?? '',
    name,
    here?.ticket ?? '',
    there?.line ?? '',
    decimalComma(here?.total),
    decimalComma(there?.total),
    here?.status ?? '',
    there?.status ?? '',
    here?.booked_on ?? '',
    message,
  ]);

/** The first row. */
export const HEADER = `${BYTE_ORDER_MARK}${writeRow(COLUMNS)}`;
