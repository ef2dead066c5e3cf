import { type AnswerError, standardError } from '../contract/answer-error.ts';
import { type CsvRecord, CsvRecords } from './csv-records.ts';
import { type ReadLine, type Separator, wrongCells } from './read-line.ts';
import type { RawLine } from './split-lines.ts';

const MAX_COLUMNS = 500;

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The columns of a table, and the records below them. */
interface Table {
  readonly columns: readonly string[];
  readonly separator: Separator;
  readonly records: CsvRecords;
}

/** Reads the lines of a CSV file. Its first line names the columns. */
export class CsvTable {
  readonly #maxLineBytes: number;
  #table: Table | undefined;

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * Gives undefined after each line as well, so that the reader can let others have their turn.
   *
   * @param isLast whether the file ends with these lines.
   * @throws AnswerError 400 if the first line does not name the columns
   */
  *read(lines: Iterable<RawLine>, isLast: boolean): Generator<ReadLine | undefined> {
    for (const line of lines) {
      yield undefined;
      if (isBlank(line) && this.#table?.records.isOpen !== true) continue;
      if (this.#table === undefined) this.#table = beginTable(line, this.#maxLineBytes);
      else yield* nameCells(this.#table.records.take(line), this.#table);
    }
    if (this.#table === undefined) return;
    const { records } = this.#table;
    yield* nameCells(isLast ? records.end() : records.flush(), this.#table);
  }
}

const CARRIAGE_RETURN = Buffer.from('\r');

const isBlank = ({ bytes }: RawLine): boolean =>
  bytes !== undefined && (bytes.length === 0 || bytes.equals(CARRIAGE_RETURN));

/** Reads the first line. Undefined if it is blank. */
const beginTable = (line: RawLine, maxLineBytes: number): Table | undefined => {
  const header = line.line === 1 ? withoutMark(line) : line;
  const separator = findSeparator(header.bytes?.toString('latin1') ?? '');
  const reader = new CsvRecords(separator, maxLineBytes);
  const [record] = [...reader.take(header), ...reader.end()];
  if (record === undefined) return undefined;
  if (record.fault !== undefined) throw invalidHeader(record.fault.message);

  const columns = record.cells.map((cell) => cell.trim());
  if (columns.every((name) => name === '')) return undefined;
  if (columns.length > MAX_COLUMNS) throw invalidHeader(`Há mais de ${MAX_COLUMNS} colunas.`);
  const repeated = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (repeated !== undefined)
    throw invalidHeader(`A coluna ${repeated.slice(0, 100)} aparece mais de uma vez.`);
  const parent = columns.find((name) => columns.some((each) => each.startsWith(`${name}.`)));
  if (parent)
    throw invalidHeader(`A coluna ${parent.slice(0, 100)} contradiz outra, que está dentro dela.`);
  return { columns, separator, records: new CsvRecords(separator, maxLineBytes) };
};

const withoutMark = ({ line, bytes }: RawLine): RawLine => ({
  line,
  bytes: bytes?.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes,
});

/** The sign that the header has more of, outside of quotes. */
const findSeparator = (header: string): Separator => {
  const unquoted = header.replaceAll(/"[^"]*"/g, '');
  return unquoted.split(';').length > unquoted.split(',').length ? ';' : ',';
};

const invalidHeader = (reason: string): AnswerError =>
  standardError(400, 'invalid_csv', `O cabeçalho do CSV não pode ser lido. ${reason}`);

function* nameCells(
  records: Iterable<CsvRecord>,
  { columns, separator }: Table,
): Generator<ReadLine> {
  for (const { line, cells, fault } of records) {
    if (fault !== undefined) yield { line, fault };
    // Spreadsheets write empty rows as separators.
    else if (cells.every((cell) => cell.trim() === '')) continue;
    else if (!fits(cells, columns)) yield { line, fault: wrongCells(cells.length, columns.length) };
    else yield { line, record: recordOf(cells, columns), separator };
  }
}

/** Cells without a column, or whose column has no name, must be empty. */
const fits = (cells: readonly string[], columns: readonly string[]): boolean =>
  cells.length >= columns.length && cells.every((cell, at) => cell === '' || !!columns[at]);

const recordOf = (
  cells: readonly string[],
  columns: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    columns.flatMap((name, at) => {
      const cell = cells[at] ?? '';
      return cell === '' ? [] : [[name, cell] as const];
    }),
  );
