import { type Cents, formatDecimal, toReais } from '#domain';
import type { StatementLine } from '../../../application/statements/channel-statement.ts';
import {
  COLUMNS,
  factsOf,
  figuresOf,
  headerOf,
  pendingOf,
  type TableLocale,
  textCells,
} from './statement-lines.ts';
import { StatementTotals, wordsFor } from './statement-totals.ts';
import { type CellValue, MAX_ROWS, writeWorkbook } from './workbook.ts';

/** Lines that fit into a sheet below its header, in Excel. */
export const MAX_XLSX_LINES = MAX_ROWS - 1;

type ColumnName = (typeof COLUMNS)[number];

const AMOUNT = { width: 14, format: '#,##0.00' };

/** A column that is not listed holds short texts. */
const FORMATS: Partial<Readonly<Record<ColumnName, { width: number; format?: string }>>> = {
  // A spreadsheet's time has no zone.
  booked_at: { width: 24, format: 'yyyy-mm-dd hh:mm:ss" UTC"' },
  date: { width: 12, format: 'yyyy-mm-dd' },
  transaction_id: { width: 15, format: '0' },
  ticket: { width: 30 },
  external_sale_id: { width: 30 },
  net_premium: AMOUNT,
  iof: AMOUNT,
  total: AMOUNT,
  commission: AMOUNT,
  net_amount: AMOUNT,
  refund_pending: AMOUNT,
};

type Row = Partial<Record<ColumnName, CellValue>>;

type Words = ReturnType<typeof wordsFor>;

const lineRow = (each: StatementLine, words: Words): Row => {
  const { booked_at: at, date, ...facts } = factsOf(each);
  const { kind, collectedBy } = each.booking;
  return {
    ...facts,
    type: words.kind(kind),
    collected_by: words.collector(collectedBy),
    booked_at: new Date(at),
    date: new Date(date),
    ...textCells(each, (text) => text),
    ...figuresOf<Cents, number>(each.booking, toReais),
    refund_pending: toReais(pendingOf(each)),
  };
};

async function* lineRows(
  lines: AsyncIterable<StatementLine>,
  totals: StatementTotals,
  words: Words,
): AsyncIterable<Row> {
  for await (const each of lines) {
    if (totals.lines === MAX_XLSX_LINES) break;
    totals.add(each.booking);
    yield lineRow(each, words);
  }
}

async function* totalRows(totals: StatementTotals, words: Words): AsyncIterable<Row> {
  for (const { kind, collectedBy, totals: sums } of totals.rows())
    yield {
      type: words.kind(kind),
      collected_by: collectedBy === undefined ? null : words.collector(collectedBy),
      ...figuresOf(sums, (cents) => (cents === undefined ? null : Number(formatDecimal(cents)))),
    };
}

/** Columns of the totals; the others describe single lines. */
const TOTAL_COLUMNS: readonly ColumnName[] = [
  'type',
  'collected_by',
  'net_premium',
  'iof',
  'total',
  'commission',
  'net_amount',
];

interface SheetOptions {
  /** Named in the title of the first sheet. */
  readonly month: string;
  /** The language of the headers. */
  readonly locale?: TableLocale | undefined;
}

/**
 * Writes a statement as an Excel file (XLSX), a few lines at a time in memory. The first sheet has
 * the lines, at most `MAX_XLSX_LINES`. The second one has what they add up to, because the lines may
 * fill the first one.
 */
export const writeXlsx = (
  lines: AsyncIterable<StatementLine>,
  { month, locale }: SheetOptions,
): AsyncIterable<Uint8Array> => {
  const [totals, words] = [new StatementTotals(), wordsFor(locale)];
  const columns = COLUMNS.map((name) => ({
    name,
    header: headerOf(name, locale),
    ...(FORMATS[name] ?? { width: 16 }),
  }));
  return writeWorkbook<ColumnName>([
    { title: `Extrato ${month}`, columns, rows: () => lineRows(lines, totals, words) },
    {
      title: 'Totais',
      columns: columns
        .filter(({ name }) => TOTAL_COLUMNS.includes(name))
        .map((each) => (each.name === 'type' ? { ...each, width: 24 } : each)),
      rows: () => totalRows(totals, words),
    },
  ]);
};
