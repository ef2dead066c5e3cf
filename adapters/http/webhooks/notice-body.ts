import type { IncomingMessage } from 'node:http';
import { standardError } from '../contract/answer-error.ts';
import type { Context } from '../pipeline/context.ts';

/** How much of a notice is read, and how much more is received and dropped, bytes. */
const MAX_NOTICE_BYTES = 64 * 1024;
const MAX_RECEIVED_BYTES = 1024 * 1024;

interface ReadStart {
  readonly bytes: Buffer;
  /** Whether the body was received to its end. */
  readonly isComplete: boolean;
}

/** Rejects with a 400 if the connection ends before the body does. */
const readStart = (request: IncomingMessage): Promise<ReadStart> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const finish = (isComplete: boolean): void => {
      request.off('data', take);
      resolve({ bytes: Buffer.concat(chunks), isComplete });
    };
    const take = (chunk: Buffer): void => {
      const room = MAX_NOTICE_BYTES - received;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      received += chunk.length;
      if (received > MAX_RECEIVED_BYTES) finish(false);
    };
    request.on('data', take);
    request.on('end', () => finish(true));
    request.on('error', () =>
      reject(standardError(400, 'invalid_request', 'O aviso não chegou inteiro.')),
    );
  });

/**
 * Reads the start of a notice of a payment gateway, whatever its media type and encoding. The
 * gateway is authenticated before the text is understood: a gateway stops its notices after a few
 * answers that are not 200.
 */
export const readNotice = async (ctx: Context): Promise<void> => {
  const { bytes, isComplete } = await readStart(ctx.req);
  ctx.request.rawBody = bytes.toString().replace(/^\uFEFF/, '');
  // The rest of the body stays unread, so no further request can be read from this connection.
  if (!isComplete) ctx.set('Connection', 'close');
};
