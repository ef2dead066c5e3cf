import {
  type CellValue,
  type ColumnDef,
  writeXlsxStream,
  XLSX_MAX_ROWS_PER_SHEET,
  type XlsxStreamRow,
} from 'hucre/xlsx';
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
import { StatementTotals, TOTAL_ROWS, wordsFor } from './statement-totals.ts';

/** Lines that fit into a sheet below its header, in Excel. */
export const MAX_XLSX_LINES = XLSX_MAX_ROWS_PER_SHEET - 1;

type ColumnName = (typeof COLUMNS)[number];

/** How a column is shown: its number format, and its width in characters. */
const column = (width: number, numFmt?: string): Partial<ColumnDef> => ({
  width,
  // As a style, because hucre would copy a format of the column for every cell.
  ...(numFmt !== undefined && { style: { numFmt } }),
});

const AMOUNT = column(14, '#,##0.00');

/** A column that is not listed holds short texts. */
const FORMATS: Partial<Readonly<Record<ColumnName, Partial<ColumnDef>>>> = {
  // A spreadsheet's time has no zone.
  booked_at: column(24, 'yyyy-mm-dd hh:mm:ss" UTC"'),
  date: column(12, 'yyyy-mm-dd'),
  transaction_id: column(15, '0'),
  ticket: column(30),
  external_sale_id: column(30),
  net_premium: AMOUNT,
  iof: AMOUNT,
  total: AMOUNT,
  commission: AMOUNT,
  net_amount: AMOUNT,
  refund_pending: AMOUNT,
};

const sheetColumns = (locale: TableLocale | undefined): ColumnDef[] =>
  COLUMNS.map((name) => ({
    key: name,
    header: headerOf(name, locale),
    ...(FORMATS[name] ?? column(16)),
  }));

type Row = Partial<Record<ColumnName, CellValue>>;

/** Takes a row of the sheet, and is not written. */
const EMPTY_ROW: CellValue[] = [];

/** Noncharacters that XML cannot hold. A version before 0009 stored them in names. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g;

/** A text that spreadsheets would read as an escaped character (ECMA-376 part 1, 22.9.2.19). */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

const cellText = (text: string): string =>
  text.replaceAll(NOT_IN_XML, '\uFFFD').replaceAll(ESCAPE, '_x005F_');

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
    ...textCells(each, cellText),
    ...figuresOf<Cents, number>(each.booking, toReais),
    refund_pending: toReais(pendingOf(each)),
  };
};

const totalRows = (totals: StatementTotals, words: Words): readonly Row[] =>
  totals.rows().map(({ kind, collectedBy, totals: sums }) => ({
    type: words.kind(kind),
    collected_by: collectedBy === undefined ? null : words.collector(collectedBy),
    ...figuresOf(sums, (cents) => (cents === undefined ? null : Number(formatDecimal(cents)))),
  }));

/** At most `count` lines, empty rows until the sheet has `room` rows, and then the totals. */
async function* rowsOf(
  lines: AsyncIterable<StatementLine>,
  { count, room, words }: { readonly count: number; readonly room: number; readonly words: Words },
): AsyncIterable<XlsxStreamRow> {
  const totals = new StatementTotals();
  for await (const each of lines) {
    if (totals.lines === count) break;
    totals.add(each.booking);
    yield lineRow(each, words);
  }
  for (let rows = totals.lines; rows < room; rows += 1) yield EMPTY_ROW;
  yield* totalRows(totals, words);
}

interface SheetOptions {
  /** The number of lines, at most `MAX_XLSX_LINES`. */
  readonly count: number;
  /** Named in the titles of the sheets. */
  readonly month: string;
  /** Of the headers. */
  readonly locale?: TableLocale | undefined;
}

/**
 * Writes a statement as an Excel file (XLSX), a few lines at a time in memory. The first sheet has
 * the lines. The second one has what they add up to, because the lines may fill the first one.
 *
 * The writer begins the second sheet after a number of rows that must be given first. Lines beyond
 * it, of sales booked in the meantime, are left out of sheet and totals.
 *
 */
export const writeXlsx = (
  lines: AsyncIterable<StatementLine>,
  { count, month, locale }: SheetOptions,
): AsyncIterable<Uint8Array> => {
  // The second sheet has as much room as the first.
  const room = Math.max(count, TOTAL_ROWS);
  return writeXlsxStream(rowsOf(lines, { count, room, words: wordsFor(locale) }), {
    name: `Extrato ${month}`,
    columns: sheetColumns(locale),
    freezePane: { rows: 1 },
    maxRowsPerSheet: 1 + room,
  });
};
