import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Largest body, once it is decompressed, KiB. */
export const MAX_BODY_KIB = 256;

/**
 * These endpoints take bodies of any length: one keeps their start (`webhooks/payment-webhook.ts`), the
 * others read them line by line (`books/read-lines.ts`).
 */
const UNLIMITED_PATH =
  /^(?:\/api)?\/(webhooks\/payments\/[^/?]+|private\/integration\/(sales\/import|reconciliation))(?:\?|$)/;

/** The host of an absolute target takes the place of the header's (RFC 9112, section 3.2.2). */
export const withTarget = (request: IncomingMessage): IncomingMessage => {
  const { url = '', headers } = request;
  if (url.startsWith('/') || !/^https?:/i.test(url) || !URL.canParse(url)) return request;
  const { host, pathname, search } = new URL(url);
  headers.host = host;
  return Object.assign(request, { url: `${pathname}${search}` });
};

/** The status that refuses a request by its head alone, or undefined if the head is acceptable. */
export const findHeadRefusal = (request: IncomingMessage): 400 | 413 | 501 | undefined => {
  const hostHeaders = countHostHeaders(request);
  if (hostHeaders > 1 || (hostHeaders === 0 && request.httpVersion !== '1.0')) return 400;

  const { 'transfer-encoding': transferEncoding, 'content-length': length } = request.headers;
  // Node would hand over a body in another coding undecoded (RFC 9112, section 6.1).
  if (transferEncoding !== undefined && !/^chunked$/i.test(transferEncoding)) return 501;
  const isTooLarge = Number(length ?? 0) > MAX_BODY_KIB * 1024;
  const isUnlimited = request.method === 'POST' && UNLIMITED_PATH.test(request.url ?? '');
  return isTooLarge && !isUnlimited ? 413 : undefined;
};

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host';

/** Several `Host` headers are an error: a proxy may read another one than we (RFC 9112, 3.2). */
const countHostHeaders = ({ rawHeaders }: IncomingMessage): number => {
  let count = 0;
  // Names at even positions, values at odd ones.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (isHost(rawHeaders[index] as string)) count += 1;
  return count;
};

const longBodies = new WeakSet<IncomingMessage>();

/**
 * Lets the body of a request come for longer than the request timeout, and its client read nothing
 * until it has sent all. The caller must end the request if the client stops sending, and if it
 * stops reading while the caller waits for it.
 */
export const allowLongBody = (request: IncomingMessage): void => {
  longBodies.add(request);
};

/** Puts a request whose body is no longer read under the usual limits again. */
export const endLongBody = (request: IncomingMessage): void => {
  longBodies.delete(request);
};

export const mayBeLong = (request: IncomingMessage | undefined): boolean =>
  request !== undefined && longBodies.has(request);

/** Whether a long body is on its way. */
export const isReceivingLongBody = (request: IncomingMessage | undefined): boolean =>
  mayBeLong(request) && request?.complete === false;

const stopSignals = new WeakMap<Duplex, AbortSignal>();

/** Lets the requests of a connection know when the server stops. */
export const setStopSignal = (socket: Duplex, signal: AbortSignal): void => {
  stopSignals.set(socket, signal);
};

/** Aborted once the server that received the request stops: 10 s later it ends all requests. */
export const stopSignalOf = ({ socket }: IncomingMessage): AbortSignal | undefined =>
  stopSignals.get(socket);

/** Pipelined requests of one connection that may wait for earlier answers. One more closes it. */
export const MAX_WAITING_REQUESTS = 64;

/** The last two requests of a connection, and how many wait for the answer before theirs. */
export interface Lane {
  last: ServerResponse;
  beforeLast: ServerResponse | undefined;
  waiting: number;
}

/**
 * Starts the requests of one connection one after another, so that a client which pipelines many
 * requests and reads no answers has only one of them processed.
 */
export const startInTurn = (
  lanes: WeakMap<Duplex, Lane>,
  request: IncomingMessage,
  response: ServerResponse,
  answer: RequestListener,
): void => {
  const { socket } = request;
  const lane = lanes.get(socket);
  if (lane === undefined) {
    lanes.set(socket, { last: response, beforeLast: undefined, waiting: 0 });
    answer(request, response);
    return;
  }

  const { last } = lane;
  lane.beforeLast = last;
  lane.last = response;
  if (last.closed) {
    answer(request, response);
    return;
  }

  lane.waiting += 1;
  if (lane.waiting > MAX_WAITING_REQUESTS) {
    socket.destroy();
    return;
  }
  last.once('close', () => {
    lane.waiting -= 1;
    // After an answer with `Connection: close`, this request cannot be answered: do not start it.
    if (socket.writable) answer(request, response);
  });
};
