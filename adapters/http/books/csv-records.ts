import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse/sync';
import { type LineFault, NOT_UTF8, type Separator, tooLong, WRONG_QUOTES } from './read-line.ts';
import type { RawLine } from './split-lines.ts';

/** A record of a CSV file: its cells, or why it cannot be read. */
export type CsvRecord = { readonly line: number } & (
  | { readonly cells: readonly string[]; readonly fault?: never }
  | { readonly fault: LineFault; readonly cells?: never }
);

/** A complete record that is not parsed yet. */
interface Unparsed {
  readonly line: number;
  readonly bytes: Buffer;
}

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = Buffer.from('\n');

/** Records that are parsed together, because a call of the parser costs as much as ten records. */
const BATCH_SIZE = 64;

/**
 * Joins the lines of a CSV file (RFC 4180) into records and parses them. A quoted cell may have
 * several lines. If its record cannot be read, or is longer than `maxBytes`, only its first line is
 * faulty: the lines after it are read again, as records of their own.
 */
export class CsvRecords {
  readonly #separator: Separator;
  readonly #maxBytes: number;
  /** Lines of a record whose last cell has not ended. */
  #open: Unparsed[] = [];
  #openBytes = 0;
  #complete: Unparsed[] = [];

  constructor(separator: Separator, maxBytes: number) {
    this.#separator = separator;
    this.#maxBytes = maxBytes;
  }

  /** Whether a record goes on with the next line. */
  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** The records that have become complete; those of one line wait for a batch. */
  *take({ line, bytes }: RawLine): Generator<CsvRecord> {
    if (bytes === undefined || this.#openBytes + bytes.length >= this.#maxBytes) {
      yield* this.#giveUpOpen();
      if (bytes === undefined) {
        yield* this.flush();
        yield { line, fault: tooLong(this.#maxBytes) };
        return;
      }
    }

    const isOdd = hasOddQuotes(bytes);
    if (this.#open.length > 0 || isOdd) {
      this.#open.push({ line, bytes });
      this.#openBytes += bytes.length + 1;
      // A second line with an odd number of quotes ends the cell that the first one began.
      if (isOdd && this.#open.length > 1) yield* this.#finishOpen();
      return;
    }
    this.#complete.push({ line, bytes: trimLineEnd(bytes) });
    if (this.#complete.length >= BATCH_SIZE) yield* this.flush();
  }

  /** The records of one line that wait for a batch. */
  *flush(): Generator<CsvRecord> {
    const records = this.#complete;
    this.#complete = [];
    if (records.length > 0) yield* parseTogether(records, this.#separator);
  }

  /** The last records. */
  *end(): Generator<CsvRecord> {
    yield* this.#giveUpOpen();
    yield* this.flush();
  }

  *#finishOpen(): Generator<CsvRecord> {
    yield* this.flush();
    const [{ line }] = this.#open as [Unparsed];
    const whole = this.#open.flatMap(({ bytes }) => [bytes, LINE_FEED]).slice(0, -1);
    const record = parseOne({ line, bytes: trimLineEnd(Buffer.concat(whole)) }, this.#separator);
    if (record.fault === WRONG_QUOTES) {
      yield* this.#giveUpOpen();
      return;
    }
    this.#open = [];
    this.#openBytes = 0;
    yield record;
  }

  /** The first line of the open record is faulty, the others are read again. */
  *#giveUpOpen(): Generator<CsvRecord> {
    const [first, ...others] = this.#open;
    if (first === undefined) return;
    this.#open = [];
    this.#openBytes = 0;
    yield* this.flush();
    yield { line: first.line, fault: WRONG_QUOTES };
    for (const each of others) yield* this.take(each);
  }
}

const hasOddQuotes = (bytes: Buffer): boolean => {
  let isOdd = false;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) isOdd = !isOdd;
  return isOdd;
};

const trimLineEnd = (bytes: Buffer): Buffer =>
  bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;

const parseBytes = (bytes: Buffer, separator: Separator): string[][] =>
  parse(bytes, {
    delimiter: separator,
    record_delimiter: '\n',
    relax_column_count: true,
  });

/** Parses records of one line. A faulty one makes the parser stop: then each is parsed alone. */
function* parseTogether(records: readonly Unparsed[], separator: Separator): Generator<CsvRecord> {
  try {
    const whole = Buffer.concat(records.flatMap(({ bytes }) => [bytes, LINE_FEED]));
    if (isUtf8(whole)) {
      const rows = parseBytes(whole, separator);
      yield* records.map(({ line }, index) => ({ line, cells: rows[index] as string[] }));
      return;
    }
  } catch {
    // The records are parsed one by one below.
  }
  for (const record of records) yield parseOne(record, separator);
}

const parseOne = ({ line, bytes }: Unparsed, separator: Separator): CsvRecord => {
  if (!isUtf8(bytes)) return { line, fault: NOT_UTF8 };
  try {
    const [cells] = parseBytes(Buffer.concat([bytes, LINE_FEED]), separator);
    return { line, cells: cells as string[] };
  } catch {
    return { line, fault: WRONG_QUOTES };
  }
};
