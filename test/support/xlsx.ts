import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';

export const hasPython = (): boolean => spawnSync('python3', ['--version']).status === 0;

/** Reads an XLSX file with Python's standard library, which knows nothing of spreadsheets. */
const READER = `
import json, re, sys, zipfile
import xml.etree.ElementTree as xml
main = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
file = zipfile.ZipFile(sys.argv[1])
broken = file.testzip()
parts = {name: xml.fromstring(file.read(name)) for name in file.namelist()}
formats = {f.get('numFmtId'): f.get('formatCode') for f in parts['xl/styles.xml'].iter(main + 'numFmt')}
bold = [f.find(main + 'b') is not None for f in parts['xl/styles.xml'].find(main + 'fonts')]
styles = ['bold' if bold[int(x.get('fontId', '0'))] else formats.get(x.get('numFmtId'), x.get('numFmtId')) for x in parts['xl/styles.xml'].find(main + 'cellXfs')]
def cell(c):
    kind = c.get('t', 'n')
    value = ''.join(t.text or '' for t in c.iter(main + 't')) if kind == 'inlineStr' else c.findtext(main + 'v')
    return [c.get('r'), kind, styles[int(c.get('s', '0'))], value]
sheets = [s.get('name') for s in parts['xl/workbook.xml'].iter(main + 'sheet')]
rows = [[[cell(c) for c in row] for row in parts['xl/worksheets/sheet%d.xml' % (n + 1)].iter(main + 'row')] for n in range(len(sheets))]
formulas = sum(1 for part in parts.values() for f in part.iter(main + 'f'))
print(json.dumps({'broken': broken, 'sheets': sheets, 'rows': rows, 'formulas': formulas}))
`;

/** A cell: its address, `n` or `inlineStr`, its number format or `bold`, and its value as written. */
type WrittenCell = readonly [address: string, type: string, format: string, value: string | null];

interface WrittenFile {
  /** The first damaged part; null: the file is whole. */
  readonly broken: string | null;
  readonly sheets: readonly string[];
  readonly rows: readonly (readonly (readonly WrittenCell[])[])[];
  readonly formulas: number;
}

/** What is written in an XLSX file, read as a ZIP file of XML by Python. */
export const readWithPython = (file: Uint8Array): WrittenFile => {
  const folder = mkdtempSync(join(tmpdir(), 'xlsx-'));
  try {
    const path = join(folder, 'file.xlsx');
    writeFileSync(path, file);
    const options = { encoding: 'utf8', maxBuffer: 64 * 1_048_576 } as const;
    return JSON.parse(execFileSync('python3', ['-c', READER, path], options));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The sheets of an XLSX file: name, and rows of values by column. */
export const readSheets = async (file: Uint8Array) => {
  const { sheets } = await readXlsx(file);
  return sheets.map(({ name, rows: [header = [], ...rows] }) => ({
    name,
    rows: rows.map((row) =>
      Object.fromEntries(header.map((column, index) => [String(column), row[index] ?? null])),
    ),
  }));
};
