import { stringify } from 'csv-stringify/sync';
import { cents, formatDecimal } from '#domain';
import { guardFormulas } from '../kit/sheets/formula-guards.ts';
import { writeWorkbook } from '../kit/sheets/workbook.ts';
import type { CellValue } from '../kit/sheets/worksheet.ts';
import { type Html, html } from '../kit/web/pages/html.ts';
import { renderTable } from './forms.ts';
import type { OwnVisit } from './visit.ts';

/** What lists, CSV and XLSX show of an item. */
export interface Column<Item> {
  readonly header: string;
  /** In a spreadsheet, in characters. */
  readonly width: number;
  /** How a spreadsheet shows numbers and times. */
  readonly format?: string;
  readonly cell: (item: Item) => CellValue;
  /** As a page shows it; absent: like the cell. */
  readonly show?: (item: Item, visit: OwnVisit) => Html | string;
}

export const renderItems = <Item>(
  caption: string,
  columns: readonly Column<Item>[],
  items: readonly Item[],
  visit: OwnVisit,
): Html =>
  renderTable(
    caption,
    columns.map(({ header }) => header),
    items.map((item) =>
      columns.map(({ cell, show }) => show?.(item, visit) ?? String(cell(item) ?? '')),
    ),
  );

/** Links to a list as a file. @param address of the file, without what it says after `?` */
export const renderFileLinks = (address: string): Html =>
  html`<p>Em arquivo: <a href="${address}?form=csv">CSV</a> <a href="${address}?form=xlsx">XLSX</a></p>`;

const csvCell = (value: CellValue, format: string | undefined): string => {
  if (value instanceof Date)
    return value.toISOString().replace(/^(\d+)-(\d+)-(\d+)T(\d+:\d+).*/, '$3/$2/$1 $4');
  if (typeof value === 'number' && format !== '0')
    return formatDecimal(cents(Math.round(value * 100))).replace('.', ',');
  return guardFormulas(String(value ?? ''));
};

/** A list as spreadsheets in Brazil open it. */
const writeCsv = <Item>(columns: readonly Column<Item>[], items: readonly Item[]): Buffer => {
  const rows = items.map((item) => columns.map(({ cell, format }) => csvCell(cell(item), format)));
  const options = { delimiter: ';', record_delimiter: 'windows', bom: true } as const;
  return Buffer.from(stringify([columns.map(({ header }) => header), ...rows], options));
};

const writeXlsx = async <Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  title: string,
): Promise<Buffer> => {
  async function* rows() {
    for (const item of items)
      yield Object.fromEntries(columns.map(({ header, cell }) => [header, cell(item)]));
  }
  const named = columns.map((column) => ({ ...column, name: column.header }));
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeWorkbook([{ title, columns: named, rows, hasFilter: true }]))
    chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** How a list is written into a file. */
const FILE_FORMS = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: writeXlsx,
  },
} as const;

/** A list as a file. @param title names the file and the sheet */
export const fileOf = async <Item>(
  title: string,
  columns: readonly Column<Item>[],
  items: readonly Item[],
  form: string | undefined,
) => {
  const name = form === 'xlsx' ? 'xlsx' : 'csv';
  const { type, write } = FILE_FORMS[name];
  const bytes = await write(columns, items, title);
  return { name: `${title.toLowerCase()}.${name}`, type, bytes };
};
