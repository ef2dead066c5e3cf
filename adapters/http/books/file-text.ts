import { isAscii, isUtf8 } from 'node:buffer';
import { SEPARATORS, type Separator } from './read-line.ts';

/** How Excel writes texts where it does not write UTF-8. */
const WINDOWS = new TextDecoder('windows-1252');

type Charset = 'utf-8' | 'windows-1252';

/**
 * Turns the lines of a file into UTF-8. The first line with more than ASCII decides how the whole
 * file is written.
 */
export class FileText {
  #charset: Charset | undefined;

  /** @param charset that the sender names; undefined: none */
  constructor(charset?: Charset) {
    this.#charset = charset;
  }

  inUtf8(bytes: Buffer): Buffer {
    if (isAscii(bytes)) return bytes;
    this.#charset ??= isUtf8(bytes) ? 'utf-8' : 'windows-1252';
    return this.#charset === 'utf-8' ? bytes : Buffer.from(WINDOWS.decode(bytes));
  }
}

/** The charset that a media type names. @returns 'other' for one that is not read */
export const charsetOf = (mediaType: string): Charset | 'other' | undefined => {
  const [, name] = /;\s*charset="?([^";\s]+)/i.exec(mediaType) ?? [];
  if (name === undefined) return undefined;
  if (/^utf-?8$/i.test(name)) return 'utf-8';
  // By the Encoding Standard, `iso-8859-1` is a name of windows-1252.
  return /^(windows-1252|cp1252|iso-8859-1|latin1)$/i.test(name) ? 'windows-1252' : 'other';
};

/** The sign that the header of a CSV has most of, outside of quotes. */
export const findSeparator = (header: Buffer): Separator => {
  const unquoted = header.toString('latin1').replaceAll(/"[^"]*"/g, '');
  const count = (sign: string): number => unquoted.split(sign).length;
  return [...SEPARATORS].sort((one, other) => count(other) - count(one))[0] as Separator;
};

/** The separator in the first line that Excel writes and reads: `sep=;`. */
export const separatorIn = (line: Buffer): string | undefined =>
  /^"?sep=(.)"?\s*$/i.exec(line.toString('latin1'))?.[1];
