import { type Cents, formatDecimal, type Instant, toReais } from '#domain';
import type { StatementLine } from '../../../application/statements/channel-statement.ts';
import { wallClockOf } from '../../kit/sheets/wall-clock.ts';
import { writeWorkbook } from '../../kit/sheets/workbook.ts';
import { type CellValue, MAX_ROWS } from '../../kit/sheets/worksheet.ts';
import {
  COLUMNS,
  factsOf,
  figuresOf,
  headerOf,
  pendingOf,
  type TableColumn,
  type TableLocale,
  textCells,
} from './statement-lines.ts';
import { StatementTotals, wordsFor } from './statement-totals.ts';

/** Lines that fit into a sheet below its header, in Excel. */
export const MAX_XLSX_LINES = MAX_ROWS - 1;

interface Form {
  readonly header?: string;
  readonly width?: number;
  readonly format?: string;
}

type Forms = Partial<Readonly<Record<TableColumn, Form>>>;

const AMOUNT: Form = { width: 12, format: '#,##0.00' };

/** A column that is not listed holds short texts. */
const FORMS: Forms = {
  type: { width: 11 },
  collected_by: { width: 12 },
  transaction_id: { width: 14, format: '0' },
  ticket: { width: 32 },
  external_sale_id: { width: 20 },
  product_name: { width: 20 },
  plan: { width: 14 },
  plan_name: { width: 14 },
  net_premium: AMOUNT,
  iof: AMOUNT,
  total: AMOUNT,
  commission: AMOUNT,
  net_amount: AMOUNT,
  refund_pending: { ...AMOUNT, width: 15 },
};

/** How times are shown. A spreadsheet's time has no zone. */
interface Times {
  readonly forms: Forms;
  readonly timeOf: (at: Instant) => Date;
}

const UTC: Times = {
  forms: {
    booked_at: { width: 24, format: 'yyyy-mm-dd hh:mm:ss" UTC"' },
    date: { width: 12, format: 'yyyy-mm-dd' },
  },
  timeOf: (at) => new Date(at),
};

const SAO_PAULO: Times = {
  forms: {
    booked_at: { header: 'Instante (São Paulo)', width: 19, format: 'dd/mm/yyyy hh:mm:ss' },
    date: { width: 12, format: 'dd/mm/yyyy' },
  },
  timeOf: wallClockOf,
};

/** The columns in Portuguese have the names of products and plans beside their codes. */
const columnsFor = (locale: TableLocale | undefined, { forms }: Times) =>
  COLUMNS.flatMap((name): readonly TableColumn[] =>
    locale !== undefined && (name === 'product' || name === 'plan')
      ? [name, `${name}_name`]
      : [name],
  ).map((name) => ({
    name,
    header: headerOf(name, locale),
    width: 13,
    ...FORMS[name],
    ...forms[name],
  }));

type Row = Partial<Record<TableColumn, CellValue>>;

type Words = ReturnType<typeof wordsFor>;

const lineRow = (each: StatementLine, words: Words, { timeOf }: Times): Row => {
  const { booked_at: at, date, ...facts } = factsOf(each);
  const { kind, collectedBy } = each.booking;
  return {
    ...facts,
    type: words.kind(kind),
    collected_by: words.collector(collectedBy),
    booked_at: timeOf(at),
    date: new Date(date),
    ...textCells(each, (text) => text),
    product_name: each.productName ?? null,
    plan_name: each.planName ?? null,
    ...figuresOf<Cents, number>(each.booking, toReais),
    refund_pending: toReais(pendingOf(each)),
  };
};

async function* lineRows(
  lines: AsyncIterable<StatementLine>,
  totals: StatementTotals,
  words: Words,
  times: Times,
): AsyncIterable<Row> {
  for await (const each of lines) {
    if (totals.lines === MAX_XLSX_LINES) break;
    totals.add(each.booking);
    yield lineRow(each, words, times);
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
const TOTAL_COLUMNS: readonly TableColumn[] = [
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
  const times = locale === undefined ? UTC : SAO_PAULO;
  const columns = columnsFor(locale, times);
  return writeWorkbook<TableColumn>([
    {
      title: `Extrato ${month}`,
      columns,
      rows: () => lineRows(lines, totals, words, times),
      hasFilter: true,
    },
    {
      title: 'Totais',
      columns: columns
        .filter(({ name }) => TOTAL_COLUMNS.includes(name))
        .map((each) => ({ ...each, width: each.name === 'type' ? 24 : 16 })),
      rows: () => totalRows(totals, words),
      isEmphasized: ({ type }) => type === words.kind('balance'),
    },
  ]);
};
