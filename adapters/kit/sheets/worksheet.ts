/** A value of a cell. A time is written in UTC. */
export type CellValue = string | number | Date | null;

interface SheetColumn<Name extends string> {
  readonly name: Name;
  readonly header: string;
  /** The width in characters. */
  readonly width: number;
  /** Such as `#,##0.00`. Absent: as the program that shows it decides. */
  readonly format?: string;
}

export interface Sheet<Name extends string> {
  readonly title: string;
  readonly columns: readonly SheetColumn<Name>[];
  /** Written in this order; the rows of a sheet are read after those of the sheets before it. */
  readonly rows: () => AsyncIterable<Row<Name>>;
  /** Whether a row looks like the header. */
  readonly isEmphasized?: (row: Row<Name>) => boolean;
  /** Whether a person can filter the rows by the cells of the header. */
  readonly hasFilter?: boolean;
}

type Row<Name extends string> = Partial<Record<Name, CellValue>>;

/** Rows of a sheet in Excel, with its header. */
export const MAX_ROWS = 1_048_576;

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** What XML cannot hold, besides halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_IN_XML = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;

/** A text that spreadsheets would read as an escaped character (ECMA-376 part 1, 22.9.2.19). */
const ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NOT_IN_XML, '\uFFFD')
    .replaceAll(ESCAPE, '_x005F_')
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string);

/** The letters of a column: `A`, `Z`, `AA`. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26));

/** Whole columns: the number of rows is not known before they are written. */
export const filterRange = ({ columns }: Sheet<string>): string =>
  `A1:${lettersOf(columns.length - 1)}${MAX_ROWS}`;

const DAY_MS = 86_400_000;

/** The day number of 1970-01-01 in Excel. */
const UNIX_DAY = 25_569;

const cellXml = (address: string, value: CellValue | undefined, style: number): string => {
  const attributes = `r="${address}" s="${style}"`;
  if (value === null || value === undefined) return style === 0 ? '' : `<c ${attributes}/>`;
  if (typeof value === 'string')
    return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
  const number = typeof value === 'number' ? value : value.getTime() / DAY_MS + UNIX_DAY;
  return `<c ${attributes}><v>${number}</v></c>`;
};

/** Below the cells: A4 across, as many pages as there are, with the sheet and the page at the foot. */
const PRINTED =
  '<printOptions gridLines="1"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.7" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>';

/** Writes a worksheet, its header first, which stays in sight. It prints one page wide. */
export async function* sheetXml<Name extends string>(
  sheet: Sheet<Name>,
  formats: readonly string[],
): AsyncIterable<string> {
  const { columns, rows, isEmphasized } = sheet;
  const cells = columns.map(({ name, format }, at) => ({
    name,
    letters: lettersOf(at),
    style: format === undefined ? 0 : 1 + formats.indexOf(format),
  }));
  const emphasis = 1 + formats.length;
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const headers = columns.map(({ header }, at) => cellXml(`${lettersOf(at)}1`, header, emphasis));
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1" ht="27" customHeight="1">${headers.join('')}</row>`;
  let number = 1;
  for await (const row of rows()) {
    number += 1;
    const added = isEmphasized?.(row) ? emphasis : 0;
    const written = cells.map(({ name, letters, style }) =>
      cellXml(`${letters}${number}`, row[name], style + added),
    );
    yield `<row r="${number}">${written.join('')}</row>`;
  }
  yield `</sheetData>${sheet.hasFilter ? `<autoFilter ref="${filterRange(sheet)}"/>` : ''}${PRINTED}</worksheet>`;
}
