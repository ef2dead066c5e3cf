import { isUtf8 } from 'node:buffer';
import {
  type LineFault,
  type LineRecord,
  NOT_JSON,
  NOT_OBJECT,
  NOT_UTF8,
  type ReadLine,
  tooLong,
} from './read-line.ts';
import type { RawLine } from './split-lines.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads lines of JSON objects (NDJSON). Gives undefined after each line as well, so that the reader
 * can let others have their turn.
 */
export function* readJsonLines(
  lines: Iterable<RawLine>,
  maxLineBytes: number,
): Generator<ReadLine | undefined> {
  for (const { line, bytes } of lines) {
    yield undefined;
    if (bytes === undefined) yield { line, fault: tooLong(maxLineBytes) };
    else if (!isUtf8(bytes)) yield { line, fault: NOT_UTF8 };
    else {
      const text = bytes.toString();
      const json = line === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
      if (json.trim() !== '') yield { line, ...readJson(json) };
    }
  }
}

const readJson = (text: string): LineRecord | { readonly fault: LineFault } => {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { fault: NOT_JSON };
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return { fault: NOT_OBJECT };
  return { record: record as Readonly<Record<string, unknown>>, separator: undefined };
};
