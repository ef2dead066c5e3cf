import {
  type CsvForm,
  type CsvRecord,
  LINE_FEED,
  parseOne,
  parseTogether,
  type Unparsed,
} from './csv-cells.ts';
import { tooLong, WRONG_QUOTES } from './read-line.ts';
import type { RawLine } from './split-lines.ts';

const QUOTE = 0x22;

/** Records that are parsed together, because a call of the parser costs as much as ten records. */
const BATCH_SIZE = 64;

/**
 * Joins the lines of a CSV file (RFC 4180) into records and parses them. A quoted cell may have
 * several lines. If its record cannot be read, or is longer than `maxBytes`, only its first line is
 * faulty: the lines after it are read again, as records of their own.
 */
export class CsvRecords {
  readonly #form: CsvForm;
  readonly #maxBytes: number;
  /** Lines of a record whose last cell has not ended. */
  #open: Unparsed[] = [];
  #openBytes = 0;
  #complete: Unparsed[] = [];

  constructor(form: CsvForm, maxBytes: number) {
    this.#form = form;
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
    this.#complete.push({ line, bytes });
    if (this.#complete.length >= BATCH_SIZE) yield* this.flush();
  }

  /** The records of one line that wait for a batch. */
  *flush(): Generator<CsvRecord> {
    const records = this.#complete;
    this.#complete = [];
    if (records.length > 0) yield* parseTogether(records, this.#form);
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
    const record = parseOne({ line, bytes: Buffer.concat(whole) }, this.#form);
    if (record.fault !== undefined) {
      yield* this.#giveUpOpen(record.fault);
      return;
    }
    this.#open = [];
    this.#openBytes = 0;
    yield record;
  }

  /** The first line of the open record is faulty, the others are read again. */
  *#giveUpOpen(fault = WRONG_QUOTES): Generator<CsvRecord> {
    const [first, ...others] = this.#open;
    if (first === undefined) return;
    this.#open = [];
    this.#openBytes = 0;
    yield* this.flush();
    yield { line: first.line, fault };
    for (const each of others) yield* this.take(each);
  }
}

const hasOddQuotes = (bytes: Buffer): boolean => {
  let isOdd = false;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) isOdd = !isOdd;
  return isOdd;
};
