import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { otherFileIn } from '../kit/sheets/file-text.ts';
import { CommandFailure } from './failures.ts';

export type ListFormat = 'csv' | 'ndjson';

export const MEDIA_TYPES: Readonly<Record<ListFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

/** A file with a list of sales. */
export interface ListFile {
  readonly path: string;
  readonly format: ListFormat;
  readonly bytes: number;
}

const FORMATS: Readonly<Record<string, ListFormat>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
};

/** Bytes from which the format is found. */
const SAMPLE_BYTES = 1_024;

/** Finds the format of a file: from its name or, if that does not tell, from its beginning. */
export const findListFile = async (path: string): Promise<ListFile> => {
  const file = await open(path);
  try {
    const { size } = await stat(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    const other = otherFileIn(buffer.subarray(0, bytesRead));
    if (other !== undefined) throw new CommandFailure(`${path} ${other}.`);
    const sample = buffer.toString('latin1', 0, bytesRead);
    if (/^(\u00EF\u00BB\u00BF)?\s*\[/.test(sample))
      throw new CommandFailure(`${path} é uma lista JSON: grave uma venda por linha (NDJSON).`);
    const format = FORMATS[extname(path).toLowerCase()];
    const looksLikeJson = /^(\u00EF\u00BB\u00BF)?\s*\{/.test(sample);
    return { path, format: format ?? (looksLikeJson ? 'ndjson' : 'csv'), bytes: size };
  } finally {
    await file.close();
  }
};
