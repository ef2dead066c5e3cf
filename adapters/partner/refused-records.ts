import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { extname } from 'node:path';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { findSeparator } from '../kit/sheets/file-text.ts';
import { CommandFailure } from './failures.ts';
import type { ListFile, ListFormat } from './list-file.ts';
import type { SourceRecord } from './source-records.ts';

/** What the file of refused records adds to each: its line in the file that was sent, and why. */
const ADDED_COLUMNS = ['_linha', '_motivo'];

/** Holds a record of NDJSON that is not JSON. */
const TEXT_FIELD = '_texto';

const hasAddedColumns = (header: Buffer): boolean =>
  header
    .toString()
    .replaceAll('"', '')
    .startsWith(ADDED_COLUMNS.join(findSeparator(header)));

/**
 * Returns the function that makes a record what it was before it was refused: without what the
 * file of refused records has added.
 */
export const restoringRecords = (
  format: ListFormat,
  header: SourceRecord | undefined,
): ((record: SourceRecord) => SourceRecord) => {
  if (format === 'ndjson') return restoreJson;
  if (header === undefined || !hasAddedColumns(header.bytes)) return (record) => record;
  const delimiter = findSeparator(header.bytes);

  return function restoreCsv(record) {
    try {
      const [cells = []] = parse(record.bytes, { delimiter, relax_column_count: true });
      const kept = cells.slice(ADDED_COLUMNS.length);
      return withText(record, stringify([kept], { delimiter }).replace(/\n$/, ''));
    } catch {
      // The service tells what is wrong with it.
      return record;
    }
  };
};

const withText = (record: SourceRecord, text: string): SourceRecord => ({
  ...record,
  lines: text.split('\n').length,
  bytes: Buffer.from(text),
});

const restoreJson = (record: SourceRecord): SourceRecord => {
  const text = record.bytes.toString();
  if (!/"_(linha|texto)"/.test(text)) return record;
  const found = readObject(text);
  if (found === undefined) return record;
  const { _linha, _motivo, [TEXT_FIELD]: original, ...sale } = found;
  return withText(record, typeof original === 'string' ? original : JSON.stringify(sale));
};

/** The object of a line of NDJSON; undefined if it holds none. */
export const readObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};

/** `vendas.csv` is `vendas.recusadas.csv`, or `vendas.recusadas-2.csv` if there is one. */
const freePath = ({ path, format }: ListFile): string => {
  const extension = extname(path);
  const base = extension === '' ? path : path.slice(0, -extension.length);
  for (let number = 1; ; number += 1) {
    const counter = number === 1 ? '' : `-${number}`;
    const candidate = `${base}.recusadas${counter}${extension || `.${format}`}`;
    if (!existsSync(candidate)) return candidate;
  }
};

/** Writes the refused records of a file, to be mended and sent again. No record, no file. */
export class RefusedRecords {
  readonly #source: ListFile;
  readonly #header: SourceRecord | undefined;
  #file: WriteStream | undefined;
  count = 0;

  /** @param header of the restored file, if it is a CSV. */
  constructor(source: ListFile, header: SourceRecord | undefined) {
    this.#source = source;
    this.#header = header;
  }

  /** Undefined if nothing was refused. */
  get path(): string | undefined {
    return this.#file?.path as string | undefined;
  }

  async add(record: SourceRecord, reasons: readonly string[]): Promise<void> {
    this.count += 1;
    this.#file ??= await this.#open();
    const text =
      this.#header === undefined
        ? writeJson(record, reasons)
        : writeCsv(record, reasons, findSeparator(this.#header.bytes));
    if (!this.#file.write(text)) await once(this.#file, 'drain');
  }

  async close(): Promise<void> {
    if (this.#file === undefined) return;
    this.#file.end();
    await finished(this.#file);
  }

  async #open(): Promise<WriteStream> {
    const path = freePath(this.#source);
    const file = createWriteStream(path, { flags: 'wx' });
    try {
      await once(file, 'open');
    } catch {
      throw new CommandFailure(`Não foi possível criar ${path}, para as linhas recusadas.`);
    }
    // `close` throws it.
    file.on('error', () => {});
    if (this.#header !== undefined) {
      const added = `${ADDED_COLUMNS.join(findSeparator(this.#header.bytes))}`;
      file.write(`\uFEFF${added}${findSeparator(this.#header.bytes)}`);
      file.write(Buffer.concat([this.#header.bytes, Buffer.from('\r\n')]));
    }
    return file;
  }
}

/** The record follows the added cells as it stands in the file, even if it cannot be read. */
const writeCsv = (
  { line, bytes }: SourceRecord,
  reasons: readonly string[],
  delimiter: string,
): Buffer => {
  const added = stringify([[line, reasons.join(' ')]], { delimiter, quoted_string: true });
  return Buffer.concat([
    Buffer.from(`${added.replace(/\n$/, '')}${delimiter}`),
    bytes,
    Buffer.from('\r\n'),
  ]);
};

const writeJson = ({ line, bytes }: SourceRecord, reasons: readonly string[]): string => {
  // Latin-1 keeps every byte of a line that is not UTF-8, and shows what most old systems mean.
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  const sale = readObject(text) ?? { [TEXT_FIELD]: text };
  return `${JSON.stringify({ _linha: line, _motivo: reasons, ...sale })}\n`;
};
