import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Instant, instantOf } from '#domain';
import { invalidAnswer } from './failure-codes.ts';

export interface HttpAnswer {
  readonly response: IncomingMessage;
  /** The beginning of the body. */
  readonly text: Promise<string>;
}

/** Interim answers (status 1xx) that may come before the answer. */
const MOST_INTERIM = 10;

/**
 * Bytes that a connection may bring for a request. It also counts what the parser's own limits
 * leave out: empty lines, spaces, interim answers, chunk extensions, zeros of a chunk's size.
 */
const MOST_BYTES = 65_536;

/**
 * Waits for the head of an answer, and begins to read its body. Nothing that comes later changes
 * the answer.
 *
 * @throws Error with a code that `failureCode` knows; also if Node.js closes the connection without
 *   an error
 */
export const awaitAnswer = (request: ClientRequest): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    request.once('response', (response) => resolve({ response, text: readAnswer(response) }));
    // Also after the answer has begun: without a listener, an error would end the process.
    request.on('error', reject);
    request.once('close', () => reject(invalidAnswer()));
    // The service asks for no upgrade. Without a listener, Node.js closes without an error.
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(invalidAnswer());
    });

    let interim = 0;
    request.on('information', () => {
      interim += 1;
      // Once only: the parser still reads what has arrived, which may be thousands of them.
      if (interim === MOST_INTERIM + 1) request.destroy(invalidAnswer());
    });
    limitBytes(request);
  });

const limitBytes = (request: ClientRequest): void => {
  request.once('socket', (socket: Socket) => {
    let bytes = 0;
    const count = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > MOST_BYTES) request.destroy(invalidAnswer());
    };
    socket.on('data', count);
    // The connection may be used again.
    request.once('close', () => socket.off('data', count));
  });
};

/** Bytes of an answer that are kept. */
const KEPT_BYTES = 1_000;

/** Max time for the body of an answer: its status is known, the body only goes to the log. */
const BODY_MS = 2_000;

/**
 * Reads the beginning of an answer, for the log, and closes the connection if there is more.
 * Characters that are cut off at the end are left out; a compressed answer is not kept.
 */
const readAnswer = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;

    const finish = (): void => {
      clearTimeout(timer);
      response.off('data', keep);
      if (!response.complete) response.destroy();
      resolve(isCompressed(response) ? '' : textOf(Buffer.concat(parts)));
    };
    const timer = setTimeout(finish, BODY_MS);

    const keep = (part: Buffer): void => {
      parts.push(part.subarray(0, KEPT_BYTES - length));
      length += part.length;
      if (length > KEPT_BYTES) finish();
    };
    response.on('data', keep);
    response.once('end', finish);
    response.on('error', finish);
    response.once('close', finish);
  });

const isCompressed = ({ headers }: IncomingMessage): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity';

/** Control characters except tab and line breaks, non-characters, and what is no UTF-8. */
const UNREADABLE = /(?:(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}|\u{fffd})+/gu;

/**
 * Text that PostgreSQL stores. Unreadable characters beside each other become one: as JSON, the
 * text has at most twice as many bytes as were kept.
 */
const textOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes, { stream: true }).replace(UNREADABLE, '\u{fffd}');

const SECONDS = /^\d{1,10}$/;

/** An HTTP date (RFC 9110, section 5.6.7), which always ends so. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? .* GMT$/;

/** No `Instant` is later. */
const YEAR_10000_MS = Date.UTC(10_000, 0);

/**
 * The time that `Retry-After` names (RFC 9110, section 10.2.3). Undefined for anything else, and
 * for a time before 1970 or after 9999.
 */
export const retryTimeOf = (header: string | undefined, nowMs: number): Instant | undefined => {
  const text = header?.trim() ?? '';
  const ms = msOf(text, nowMs);
  return ms >= 0 && ms < YEAR_10000_MS ? instantOf(new Date(ms)) : undefined;
};

/** The time in ms since 1970. NaN if the text is no time. */
const msOf = (text: string, nowMs: number): number => {
  if (SECONDS.test(text)) return nowMs + Number(text) * 1_000;
  return HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
};
