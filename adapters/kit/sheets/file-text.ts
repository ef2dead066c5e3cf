import { isAscii, isUtf8 } from 'node:buffer';
import { SEPARATORS, type Separator } from './read-line.ts';

/** How Excel writes texts where it does not write UTF-8. */
const WINDOWS = new TextDecoder('windows-1252');

const UTF_16 = 'está em UTF-16: salve-o como CSV em UTF-8';

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

/** Files that people send as CSV, by their first bytes. Each text completes "O arquivo …". */
const OTHER_FILES: readonly (readonly [start: string, what: string])[] = [
  ['PK\u0003\u0004', 'é uma planilha: salve-a como CSV e envie o CSV'],
  ['\u00D0\u00CF\u0011\u00E0', 'é uma planilha antiga (.xls): salve-a como CSV e envie o CSV'],
  ['\u001F\u008B', 'está comprimido (gzip): descomprima-o e envie o CSV'],
  ['<', 'está em HTML ou XML: salve-o como CSV e envie o CSV'],
  ['\u00FF\u00FE', UTF_16],
  ['\u00FE\u00FF', UTF_16],
];

/** What a file is instead of a list of sales. @param start its first bytes, four or more */
export const otherFileIn = (start: Buffer): string | undefined => {
  const text = start.toString('latin1');
  const [, what] = OTHER_FILES.find(([signature]) => text.startsWith(signature)) ?? [];
  // In UTF-16, one half of each ASCII character is NUL.
  return what ?? (text.slice(0, 2).includes('\0') ? UTF_16 : undefined);
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
