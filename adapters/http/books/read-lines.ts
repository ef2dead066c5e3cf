import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../../../application/unavailable.ts';
import { type AnswerError, standardError } from '../../kit/contract/answer-error.ts';
import { invalidHeader, type KnownColumns } from '../../kit/sheets/csv-header.ts';
import { CsvTable } from '../../kit/sheets/csv-table.ts';
import { charsetOf, otherFileIn } from '../../kit/sheets/file-text.ts';
import { readJsonLines } from '../../kit/sheets/json-lines.ts';
import type { ReadLine } from '../../kit/sheets/read-line.ts';
import { LineSplitter } from '../../kit/sheets/split-lines.ts';
import {
  allowLongBody,
  endLongBody,
  MAX_BODY_KIB,
  stopSignalOf,
} from '../../kit/web/server/request-limits.ts';

export interface LineLimits {
  /** Records and faulty lines. */
  readonly maxLines: number;
  /** Time in which the client has to send a part of the body, ms. */
  readonly idleMs?: number;
  /** The limit of one record. */
  readonly maxLineBytes?: number;
  /** The columns that a CSV may have; by default any. */
  readonly columns?: KnownColumns;
}

interface LineFormat {
  readonly kind: 'ndjson' | 'csv';
  /** Undefined: the request names none. */
  readonly charset: 'utf-8' | 'windows-1252' | undefined;
}

const FORMATS: Readonly<Record<string, LineFormat['kind']>> = {
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'text/csv': 'csv',
};

const IDLE_MS = 30_000;

/** What must come of a body in that time, bytes. */
const MIN_BYTES = 16_384;

/** Time for the rest of a body to arrive, ms. */
const DROP_MS = 30_000;

/** Time for which lines are handed over before other requests have their turn, ms. */
const TURN_MS = 5;

/**
 * Finds the format of a body that holds a list.
 *
 * @throws AnswerError 415 for other media types, other charsets, and compressed bodies
 */
const formatOfLines = ({ headers }: Pick<IncomingMessage, 'headers'>): LineFormat => {
  const mediaType = headers['content-type'] ?? '';
  const kind = FORMATS[(mediaType.split(';')[0] ?? '').trim().toLowerCase()];
  if (kind === undefined)
    throw standardError(
      415,
      'unsupported_media_type',
      'O corpo da requisição deve ser application/x-ndjson ou text/csv.',
    );
  const charset = charsetOf(mediaType);
  if (charset === 'other' || (kind === 'ndjson' && charset === 'windows-1252'))
    throw standardError(
      415,
      'invalid_encoding',
      'O corpo da requisição deve estar em UTF-8, e um CSV também pode estar em windows-1252.',
    );
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
    throw standardError(
      415,
      'invalid_encoding',
      'Este recurso não aceita Content-Encoding: envie o corpo sem compressão.',
    );
  return { kind, charset };
};

/**
 * Reads a list from the body of a request, as fast as the caller takes it: what is not taken stays
 * with the client. It needs little memory, however long the list or one of its lines is. Stopping
 * early leaves the rest of the body unread: the answer must have `Connection: close`.
 *
 * @throws AnswerError 415 at once; then, after the lines before it: 400 for a CSV without a usable
 * header or a body that ends too early, 408 for a client that stops sending, 413 after `maxLines`
 * @throws Unavailable once the server stops
 */
export const readLines = (request: IncomingMessage, limits: LineLimits): AsyncGenerator<ReadLine> =>
  readLinesOf(request, formatOfLines(request), limits);

async function* readLinesOf(
  request: IncomingMessage,
  { kind, charset }: LineFormat,
  { maxLines, idleMs = IDLE_MS, maxLineBytes = MAX_BODY_KIB * 1024, columns }: LineLimits,
): AsyncGenerator<ReadLine> {
  const lines = new LineSplitter(maxLineBytes);
  const table = kind === 'csv' ? new CsvTable({ maxLineBytes, columns, charset }) : undefined;
  const bounds = countLines(maxLines);
  let start = Buffer.alloc(0);
  let turnEndsAt = performance.now() + TURN_MS;

  for await (const chunk of chunksOf(request, idleMs)) {
    if (table !== undefined && chunk !== undefined && start.length < SIGNATURE_BYTES) {
      start = Buffer.concat([start, chunk.subarray(0, SIGNATURE_BYTES)]);
      const other = otherFileIn(start);
      if (other !== undefined) throw invalidHeader(`O arquivo ${other}.`);
    }
    const rawLines = chunk === undefined ? lines.end() : lines.take(chunk);
    const records =
      table?.read(rawLines, chunk === undefined) ?? readJsonLines(rawLines, maxLineBytes);
    for (const each of records) {
      bounds.note(each);
      if (each !== undefined) yield each;
      if (performance.now() < turnEndsAt) continue;
      if (stopSignalOf(request)?.aborted) throw serverStops();
      await nextTurn();
      turnEndsAt = performance.now() + TURN_MS;
    }
  }
}

/** Bytes that tell a CSV from other files. */
const SIGNATURE_BYTES = 4;

/** Blank lines are no records. A file may have this many times as many as records. */
const MAX_BLANK_LINES_PER_LINE = 10;

/** Counts what a reader gives: undefined for each line of the file, and the records. */
const countLines = (maxLines: number) => {
  let records = 0;
  let all = 0;
  return {
    /** @throws AnswerError 413 */
    note(read: ReadLine | undefined): void {
      if (read === undefined) all += 1;
      else records += 1;
      if (records > maxLines || all > maxLines * (1 + MAX_BLANK_LINES_PER_LINE))
        throw tooManyLines(maxLines);
    },
  };
};

const tooManyLines = (maxLines: number): AnswerError =>
  standardError(
    413,
    'body_too_large',
    `O arquivo tem mais de ${maxLines} linhas. Envie as demais em outro arquivo.`,
    {},
    // The rest of the body stays unread, so no further request can be read from this connection.
    { Connection: 'close' },
  );

/** The chunks of the body, then undefined. */
async function* chunksOf(
  request: IncomingMessage,
  idleMs: number,
): AsyncGenerator<Buffer | undefined> {
  allowLongBody(request);
  // The connection is still needed for the answer.
  const chunks = request.iterator({ destroyOnReturn: false });
  let waitedMs = 0;
  let received = 0;
  try {
    for (;;) {
      const askedAt = performance.now();
      const next = await nextWithin(chunks, idleMs, stopSignalOf(request));
      if (next.done === true) break;
      waitedMs += performance.now() - askedAt;
      received += next.value.length;
      if (waitedMs >= idleMs && received < MIN_BYTES) throw stoppedSending(idleMs);
      if (received >= MIN_BYTES) [waitedMs, received] = [0, 0];
      yield next.value;
    }
    yield undefined;
  } finally {
    endLongBody(request);
    // Not awaited: it would wait for the client.
    void chunks.return?.();
  }
}

const nextWithin = async (
  chunks: AsyncIterator<Buffer, undefined>,
  idleMs: number,
  stop: AbortSignal | undefined,
): Promise<IteratorResult<Buffer, undefined>> => {
  if (stop?.aborted) throw serverStops();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(stoppedSending(idleMs)), idleMs);
  const stopNow = () => reject(serverStops());
  stop?.addEventListener('abort', stopNow);
  try {
    return await Promise.race([chunks.next().catch(endedEarly), tooLate]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', stopNow);
  }
};

const serverStops = (): Unavailable => new Unavailable('the server stops');

const stoppedSending = (idleMs: number): AnswerError =>
  standardError(
    408,
    'request_timeout',
    `O corpo da requisição parou de chegar por ${Math.ceil(idleMs / 1_000)} segundos.`,
    {},
    { Connection: 'close' },
  );

const endedEarly = (): never => {
  throw standardError(400, 'invalid_request', 'O corpo da requisição não chegou inteiro.');
};

/**
 * Receives the rest of a body, for some time: a client that is still sending loses the answer if
 * the connection is closed under it.
 */
export const dropRest = async (request: IncomingMessage): Promise<void> => {
  request.resume();
  const received = finished(request).catch(() => {});
  await Promise.race([received, wait(DROP_MS, undefined, { ref: false })]);
};
