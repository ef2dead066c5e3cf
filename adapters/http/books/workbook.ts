import { Zip, ZipDeflate } from 'fflate';

/** A value of a cell. A time is written in UTC. */
export type CellValue = string | number | Date | null;

interface SheetColumn<Name extends string> {
  readonly name: Name;
  readonly header: string;
  /** In characters. */
  readonly width: number;
  /** Such as `#,##0.00`. Absent: as the program that shows it decides. */
  readonly format?: string;
}

export interface Sheet<Name extends string> {
  readonly title: string;
  readonly columns: readonly SheetColumn<Name>[];
  /** Written in this order; the rows of a sheet are read after those of the sheets before it. */
  readonly rows: () => AsyncIterable<Partial<Record<Name, CellValue>>>;
}

/** Rows of a sheet in Excel, with its header. */
export const MAX_ROWS = 1_048_576;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

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

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NOT_IN_XML, '\uFFFD')
    .replaceAll(ESCAPE, '_x005F_')
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] as string);

/** The style of the header; cells without a format have 0, the formats follow. */
const [HEADER_STYLE, FIRST_FORMAT_STYLE] = [1, 2];

/** Numbers of formats below this one are Excel's own (ECMA-376 part 1, 18.8.30). */
const FIRST_FORMAT = 164;

const stylesXml = (formats: readonly string[]): string =>
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats
    .map(
      (format, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${escapeXml(format)}"/>`,
    )
    .join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
  `<cellXfs count="${formats.length + FIRST_FORMAT_STYLE}"><xf/><xf fontId="1" applyFont="1"/>${formats
    .map((_, at) => `<xf numFmtId="${FIRST_FORMAT + at}" applyNumberFormat="1"/>`)
    .join('')}</cellXfs></styleSheet>`;

const workbookXml = (titles: readonly string[]): string =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${titles
    .map((title, at) => `<sheet name="${escapeXml(title)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`)
    .join('')}</sheets></workbook>`;

const relationsXml = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(
      ([type, target], at) =>
        `<Relationship Id="r${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

const contentTypesXml = (sheets: number): string => {
  const parts = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...Array.from({ length: sheets }, (_, at) => [
      `/xl/worksheets/sheet${at + 1}.xml`,
      'worksheet',
    ]),
  ];
  return `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${parts
    .map(([name, kind]) => `<Override PartName="${name}" ContentType="${TYPE}.${kind}+xml"/>`)
    .join('')}</Types>`;
};

/** The letters of a column: `A`, `Z`, `AA`. */
const lettersOf = (index: number): string =>
  (index < 26 ? '' : lettersOf(Math.floor(index / 26) - 1)) +
  String.fromCharCode(65 + (index % 26));

const DAY_MS = 86_400_000;

/** The day number of 1970-01-01 in Excel. */
const UNIX_DAY = 25_569;

const cellXml = (address: string, value: CellValue | undefined, style: number): string => {
  if (value === null || value === undefined) return '';
  const attributes = `r="${address}"${style === 0 ? '' : ` s="${style}"`}`;
  if (typeof value === 'string')
    return `<c ${attributes} t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
  const number = typeof value === 'number' ? value : value.getTime() / DAY_MS + UNIX_DAY;
  return `<c ${attributes}><v>${number}</v></c>`;
};

/** Writes a worksheet, its header first, which stays in sight and is bold. */
async function* sheetXml<Name extends string>(
  { columns, rows }: Sheet<Name>,
  formats: readonly string[],
): AsyncIterable<string> {
  const cells = columns.map(({ name, format }, at) => ({
    name,
    letters: lettersOf(at),
    style: format === undefined ? 0 : FIRST_FORMAT_STYLE + formats.indexOf(format),
  }));
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const headers = columns.map(({ header }, at) =>
    cellXml(`${lettersOf(at)}1`, header, HEADER_STYLE),
  );
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${headers.join('')}</row>`;
  let number = 1;
  for await (const row of rows()) {
    number += 1;
    const written = cells.map(({ name, letters, style }) =>
      cellXml(`${letters}${number}`, row[name], style),
    );
    yield `<row r="${number}">${written.join('')}</row>`;
  }
  yield '</sheetData></worksheet>';
}

type Part = readonly [path: string, content: AsyncIterable<string> | Iterable<string>];

/** Texts are compressed in pieces of about this length. */
const PIECE = 64 * 1_024;

/** The first day of ZIP's calendar: the same rows are the same file, whenever it is written. */
const WRITTEN = new Date(1980, 0, 1);

/** Writes parts as a ZIP file, a piece at a time in memory. */
async function* zip(parts: Iterable<Part>): AsyncIterable<Uint8Array> {
  let ready: Uint8Array[] = [];
  const file = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const encoder = new TextEncoder();
  for (const [path, content] of parts) {
    const part = Object.assign(new ZipDeflate(path, { level: 6 }), { mtime: WRITTEN });
    file.add(part);
    let piece = '';
    for await (const text of content) {
      piece += text;
      if (piece.length < PIECE) continue;
      part.push(encoder.encode(piece));
      piece = '';
      yield* ready;
      ready = [];
    }
    part.push(encoder.encode(piece), true);
  }
  file.end();
  yield* ready;
}

/**
 * Writes an Excel workbook (ECMA-376), a few rows at a time in memory. A sheet holds `MAX_ROWS` rows
 * with its header.
 */
export const writeWorkbook = <Name extends string>(
  sheets: readonly Sheet<Name>[],
): AsyncIterable<Uint8Array> => {
  const formats = [
    ...new Set(sheets.flatMap(({ columns }) => columns.flatMap(({ format }) => format ?? []))),
  ];
  const files = sheets.map((_, at) => `worksheets/sheet${at + 1}.xml`);
  return zip([
    ['[Content_Types].xml', [contentTypesXml(sheets.length)]],
    ['_rels/.rels', [relationsXml([['officeDocument', 'xl/workbook.xml']])]],
    ['xl/workbook.xml', [workbookXml(sheets.map(({ title }) => title))]],
    [
      'xl/_rels/workbook.xml.rels',
      [
        relationsXml([
          ...files.map((file) => ['worksheet', file] as const),
          ['styles', 'styles.xml'],
        ]),
      ],
    ],
    ['xl/styles.xml', [stylesXml(formats)]],
    ...sheets.map((sheet, at): Part => [`xl/${files[at]}`, sheetXml(sheet, formats)]),
  ]);
};
