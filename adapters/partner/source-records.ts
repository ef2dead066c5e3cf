import { createReadStream } from 'node:fs';
import { FileText, separatorIn } from '../kit/sheets/file-text.ts';
import { LineSplitter, type RawLine } from '../kit/sheets/split-lines.ts';
import { CommandFailure } from './failures.ts';
import type { ListFile } from './list-file.ts';

/** A record of a file, as it stands there: one line or, in a CSV, several. */
export interface SourceRecord {
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  readonly lines: number;
  /** The bytes without the last line end. */
  readonly bytes: Buffer;
}

/** A file that is read record by record. A CSV begins with its header. */
export interface SourceFile {
  readonly header: SourceRecord | undefined;
  readonly records: AsyncIterable<SourceRecord>;
}

/** The service takes shorter lines, bytes. */
const MAX_LINE_BYTES = 1_048_576;

/** Bytes after which quotes that do not close are taken for an error. */
const MAX_OPEN_BYTES = 262_144;

const QUOTE = 0x22;
const LINE_FEED = Buffer.from('\n');
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Opens a file. Only a part of it is in memory at a time. */
export const openSource = async ({ path, format }: ListFile): Promise<SourceFile> => {
  const lines = readRawLines(path, format === 'csv' ? new FileText() : undefined);
  const all = format === 'csv' ? joinQuoted(lines) : eachLine(lines);
  const records = withoutBlanks(all)[Symbol.asyncIterator]();
  const rest = { [Symbol.asyncIterator]: () => records };
  if (format === 'ndjson') return { header: undefined, records: rest };
  let first = await records.next();
  // The service finds the separator in the header, as this command does.
  if (!first.done && separatorIn(first.value.bytes) !== undefined) first = await records.next();
  return { header: first.done ? undefined : first.value, records: rest };
};

/** @param text of a CSV, which may be in windows-1252 */
async function* readRawLines(path: string, text: FileText | undefined): AsyncIterable<WholeLine> {
  const splitter = new LineSplitter(MAX_LINE_BYTES);
  const read = (raw: RawLine): WholeLine => {
    const { line, bytes } = recordOf(whole(raw));
    return { line, bytes: text === undefined ? bytes : text.inUtf8(bytes) };
  };
  for await (const chunk of createReadStream(path))
    for (const line of splitter.take(chunk as Buffer)) yield read(line);
  for (const line of splitter.end()) yield read(line);
}

type WholeLine = RawLine & { readonly bytes: Buffer };

/** @throws CommandFailure for a line that was too long to be kept */
const whole = ({ line, bytes }: RawLine): WholeLine => {
  if (bytes === undefined)
    throw new CommandFailure(`A linha ${line} tem mais de ${MAX_LINE_BYTES} bytes.`);
  return { line, bytes };
};

const recordOf = ({ line, bytes }: WholeLine): SourceRecord => ({
  line,
  lines: 1,
  bytes: line === 1 ? withoutMark(bytes) : bytes,
});

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.indexOf(BYTE_ORDER_MARK) === 0 ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

async function* eachLine(lines: AsyncIterable<WholeLine>): AsyncIterable<SourceRecord> {
  for await (const line of lines) yield recordOf(line);
}

/** Joins the lines of a CSV whose quotes are open (RFC 4180, section 2, rule 6). */
async function* joinQuoted(lines: AsyncIterable<WholeLine>): AsyncIterable<SourceRecord> {
  let open: SourceRecord | undefined;
  for await (const line of lines) {
    const next = recordOf(line);
    const isOdd = hasOddQuotes(next.bytes);
    const record: SourceRecord = open === undefined ? next : joined(open, next);
    const isComplete = (open === undefined) !== isOdd;
    open = isComplete || record.bytes.length > MAX_OPEN_BYTES ? undefined : record;
    if (open === undefined) yield record;
  }
  if (open !== undefined) yield open;
}

const joined = (first: SourceRecord, next: SourceRecord): SourceRecord => ({
  line: first.line,
  lines: first.lines + next.lines,
  bytes: Buffer.concat([first.bytes, LINE_FEED, next.bytes]),
});

const hasOddQuotes = (bytes: Buffer): boolean => {
  let isOdd = false;
  for (let at = bytes.indexOf(QUOTE); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) isOdd = !isOdd;
  return isOdd;
};

async function* withoutBlanks(records: AsyncIterable<SourceRecord>): AsyncIterable<SourceRecord> {
  for await (const record of records)
    if (record.bytes.toString('latin1').trim() !== '') yield record;
}
