import { areBlank, type CsvRecord } from './csv-cells.ts';
import { invalidHeader, type KnownColumns, readHeader } from './csv-header.ts';
import { CsvRecords } from './csv-records.ts';
import { FileText, findSeparator, separatorIn } from './file-text.ts';
import { type ReadLine, SEPARATORS, type Separator } from './read-line.ts';
import type { RawLine } from './split-lines.ts';

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The columns of a table, and the records below them. */
interface Table {
  readonly columns: readonly string[];
  readonly separator: Separator;
  readonly records: CsvRecords;
}

interface TableRules {
  readonly maxLineBytes: number;
  /** The columns that may be there. Absent: any. */
  readonly columns?: KnownColumns | undefined;
  /** The character set. Absent: the bytes of the file show it. */
  readonly charset?: 'utf-8' | 'windows-1252' | undefined;
}

/** Reads the lines of a CSV file. Its first line names the columns. */
export class CsvTable {
  readonly #rules: TableRules;
  readonly #text: FileText;
  /** What the line `sep=;` names. */
  #separator: Separator | undefined;
  #table: Table | undefined;

  constructor(rules: TableRules) {
    this.#rules = rules;
    this.#text = new FileText(rules.charset);
  }

  /**
   * Gives undefined after each line as well, so that the reader can let others have their turn.
   *
   * @param isLast whether the file ends with these lines.
   * @throws AnswerError 400 if the first line does not name the columns
   */
  *read(lines: Iterable<RawLine>, isLast: boolean): Generator<ReadLine | undefined> {
    for (const raw of lines) {
      yield undefined;
      const line = this.#inUtf8(raw);
      if (isBlank(line) && this.#table?.records.isOpen !== true) continue;
      if (this.#table === undefined) this.#table = this.#begin(line);
      else yield* nameCells(this.#table.records.take(line), this.#table);
    }
    if (this.#table === undefined) return;
    const { records } = this.#table;
    yield* nameCells(isLast ? records.end() : records.flush(), this.#table);
  }

  #inUtf8({ line, bytes }: RawLine): RawLine {
    const marked = line === 1 && bytes?.indexOf(BYTE_ORDER_MARK) === 0;
    const rest = marked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
    return { line, bytes: rest && this.#text.inUtf8(rest) };
  }

  /** Reads the first line. Undefined if it is blank, or names the separator. */
  #begin(line: RawLine): Table | undefined {
    const { bytes = Buffer.alloc(0) } = line;
    if (bytes.includes(0)) throw invalidHeader('O arquivo não é um texto.');
    const said = separatorIn(bytes);
    if (said !== undefined && this.#separator === undefined) {
      this.#separator = SEPARATORS.find((each) => each === said);
      if (this.#separator === undefined)
        throw invalidHeader('Os separadores são vírgula, ponto e vírgula ou tabulação.');
      return undefined;
    }
    const separator = this.#separator ?? findSeparator(bytes);
    const { maxLineBytes, columns: known } = this.#rules;
    const reader = new CsvRecords({ separator }, maxLineBytes);
    const [record] = [...reader.take(line), ...reader.end()];
    if (record === undefined) return undefined;
    if (record.fault !== undefined) throw invalidHeader(record.fault.message);
    if (areBlank(record.cells)) return undefined;
    const columns = readHeader(record.cells, known);
    return { columns, separator, records: new CsvRecords({ separator, columns }, maxLineBytes) };
  }
}

const isBlank = ({ bytes }: RawLine): boolean => bytes?.length === 0;

function* nameCells(
  records: Iterable<CsvRecord>,
  { columns, separator }: Table,
): Generator<ReadLine> {
  for (const { line, cells, fault } of records) {
    if (fault !== undefined) yield { line, fault };
    else if (!areBlank(cells)) yield { line, record: recordOf(cells, columns), separator };
  }
}

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
