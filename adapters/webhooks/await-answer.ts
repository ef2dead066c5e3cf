import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { invalidAnswer } from './failure-codes.ts';
import { readAnswer } from './read-answer.ts';

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
