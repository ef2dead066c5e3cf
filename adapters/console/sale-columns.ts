import { stringify } from 'csv-stringify/sync';
import { cents, formatDecimal, formatReais, type Sale, toReais } from '#domain';
import { guardFormulas } from '../kit/sheets/formula-guards.ts';
import { wallClockOf } from '../kit/sheets/wall-clock.ts';
import { writeWorkbook } from '../kit/sheets/workbook.ts';
import type { CellValue } from '../kit/sheets/worksheet.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import { renderTable } from './forms.ts';
import { STATUS_WORDS } from './sale-words.ts';
import type { OwnVisit } from './visit.ts';
import { whenOf } from './words.ts';

export const nameOf = ({ terms: { insured } }: Sale): string => insured.socialName ?? insured.name;

const productOf = ({ terms: { product } }: Sale): string => product.name ?? product.code;

/** Which sale a form is about. */
export const sayWhich = (sale: Sale): Html =>
  html`<p>Venda ${String(sale.id)}: <strong class="long">${nameOf(sale)}</strong>, ${productOf(sale)}</p>`;

interface Column {
  readonly header: string;
  /** In a spreadsheet, in characters. */
  readonly width: number;
  readonly format?: string;
  readonly cell: (sale: Sale) => CellValue;
  /** As a page shows it; absent: like the cell. */
  readonly show?: (sale: Sale, visit: OwnVisit) => Html | string;
}

/** What lists, CSV and XLSX show of a sale. */
const COLUMNS: readonly Column[] = [
  {
    ...{ header: 'Venda', width: 12, format: '0', cell: ({ id }) => id },
    show: ({ id }, { at }) => html`<a href="${at(`/sales/${id}`)}">${String(id)}</a>`,
  },
  {
    ...{ header: 'Registrada', width: 18, format: 'dd/mm/yyyy hh:mm' },
    cell: ({ registeredAt }) => wallClockOf(registeredAt),
    show: ({ registeredAt }, { now }) => whenOf(registeredAt, now),
  },
  {
    ...{ header: 'Segurado', width: 30, cell: nameOf },
    show: (sale) => html`<span class="long">${nameOf(sale)}</span>`,
  },
  {
    ...{ header: 'Produto', width: 24 },
    cell: productOf,
  },
  { header: 'Canal', width: 20, cell: ({ terms }) => terms.channelLink },
  {
    ...{ header: 'Total', width: 12, format: '#,##0.00' },
    cell: ({ terms }) => toReais(terms.quote.premium.total),
    show: ({ terms }) =>
      html`<span class="amount">${formatReais(terms.quote.premium.total)}</span>`,
  },
  { header: 'Situação', width: 24, cell: ({ status }) => STATUS_WORDS[status] },
];

export const renderSales = (caption: string, sales: readonly Sale[], visit: OwnVisit): Html =>
  renderTable(
    caption,
    COLUMNS.map(({ header }) => header),
    sales.map((sale) => COLUMNS.map(({ cell, show }) => show?.(sale, visit) ?? String(cell(sale)))),
  );

const csvCell = (value: CellValue, format: string | undefined): string => {
  if (value instanceof Date)
    return value.toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+:\d+).*/, '$3/$2/$1 $4');
  if (typeof value === 'string') return guardFormulas(value);
  const text = String(value ?? '');
  return format === '0'
    ? text
    : formatDecimal(cents(Math.round(Number(value) * 100))).replace('.', ',');
};

/** The list as spreadsheets in Brazil open it. */
const writeCsv = (sales: readonly Sale[]): Buffer => {
  const rows = sales.map((sale) => COLUMNS.map(({ cell, format }) => csvCell(cell(sale), format)));
  const options = { delimiter: ';', record_delimiter: 'windows', bom: true } as const;
  return Buffer.from(stringify([COLUMNS.map(({ header }) => header), ...rows], options));
};

const writeXlsx = async (sales: readonly Sale[]): Promise<Buffer> => {
  const columns = COLUMNS.map((column) => ({ ...column, name: column.header }));
  async function* rows() {
    for (const sale of sales)
      yield Object.fromEntries(COLUMNS.map(({ header, cell }) => [header, cell(sale)]));
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeWorkbook([{ title: 'Vendas', columns, rows, hasFilter: true }]))
    chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** How a list is written into a file. */
export const FILE_FORMS = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: writeXlsx,
  },
} as const;
