import { Zip, ZipDeflate } from 'fflate';
import { escapeXml, filterRange, MAIN, type Sheet, sheetXml, XML } from './worksheet.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Numbers of formats below this one are Excel's own (ECMA-376 part 1, 18.8.30). */
const FIRST_FORMAT = 164;

/** A style for each format, the first for cells without one; then the same ones with emphasis. */
const stylesXml = (formats: readonly string[]): string => {
  const ids = [0, ...formats.map((_, at) => FIRST_FORMAT + at)];
  // A header may have two lines. Other cells shrink: a row does not grow with them in every program.
  const style = (id: number, emphasis: 0 | 1): string =>
    `<xf numFmtId="${id}" fontId="${emphasis}" fillId="${2 * emphasis}" applyNumberFormat="1" applyFont="1" applyFill="1" applyAlignment="1"><alignment ${emphasis === 1 && id === 0 ? 'vertical="center" wrapText' : 'shrinkToFit'}="1"/></xf>`;
  const styles = [...ids.map((id) => style(id, 0)), ...ids.map((id) => style(id, 1))];
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${formats.length}">${formats
      .map(
        (format, at) =>
          `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${escapeXml(format)}"/>`,
      )
      .join('')}</numFmts><fonts count="2"><font><sz val="10"/><name val="Arial"/></font>` +
    '<font><b/><sz val="10"/><name val="Arial"/></font></fonts>' +
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE8E8E8"/></patternFill></fill></fills>' +
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>' +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
};

const workbookXml = (sheets: readonly Sheet<string>[]): string => {
  const entries = sheets.map(
    ({ title }, at) => `<sheet name="${escapeXml(title)}" sheetId="${at + 1}" r:id="r${at + 1}"/>`,
  );
  const names = sheets.flatMap((sheet, at) => {
    const own = `localSheetId="${at}"`;
    const title = `'${escapeXml(sheet.title.replaceAll("'", "''"))}'`;
    const filtered = `${title}!${filterRange(sheet).replaceAll(/[A-Z]+|\d+/g, '$$$&')}`;
    return [
      // LibreOffice finds the filter by this name.
      ...(sheet.hasFilter
        ? [`<definedName name="_xlnm._FilterDatabase" ${own} hidden="1">${filtered}</definedName>`]
        : []),
      // A printed sheet repeats its header on each page.
      `<definedName name="_xlnm.Print_Titles" ${own}>${title}!$1:$1</definedName>`,
    ];
  });
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${entries.join('')}</sheets><definedNames>${names.join('')}</definedNames></workbook>`;
};

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
    ['xl/workbook.xml', [workbookXml(sheets)]],
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
