import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, isIPv6, Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { houseError } from '../contract/answer-error.ts';
import { LARGEST_BODY_KB } from '../pipeline/request-body.ts';
import { limitConnections } from './connection-limits.ts';
import { securityHeaders } from './security-headers.ts';

/** Time that requests in flight have to finish once the port is closed, ms. */
const FINISH_MS = 10_000;

/** Time in which connections made before the port was closed may send their request, ms. */
const LAST_REQUESTS_MS = 1_000;

/**
 * The system resets connections that it holds when the port is closed. So, at the end of a drain, new requests are held for
 * `HOLD_MS` at most: their clients wait, and make no new connections. The port is closed when none came for `QUIET_MS`.
 */
const HOLD_MS = 500;
const QUIET_MS = 50;

/** Requests of one connection that may wait for the answers before theirs (pipelining); one more closes it. */
const MOST_WAITING = 64;

export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Time a client has to send a whole request, ms. */
  readonly requestTimeout?: number;
  /** Time after which a client that reads nothing of its answer is disconnected, ms. */
  readonly stallTimeout?: number;
  /** Connections at the same time, at most. */
  readonly maxConnections?: number;
  /** Whether the public address is one of HTTPS: then browsers are told to use no other. */
  readonly secure?: boolean;
  readonly log?: Pick<Logger, 'warn'>;
}

/** A server that has its port. Until `serve` is called, it answers that it lives, and is not ready. */
export interface Listening {
  readonly address: string;
  serve(answer: RequestListener): void;
  /**
   * Answers that it is not ready, and serves requests with `Connection: close` for `drainMs`; then closes the port, lets
   * requests in flight finish, and resolves when all connections are closed.
   */
  stop(drainMs?: number): Promise<void>;
}

/** Takes the port before anything else is done: where it is taken, nothing has happened yet. */
export const listen = async ({
  port,
  host,
  requestTimeout = 30_000,
  stallTimeout = 30_000,
  maxConnections = 4_000,
  secure = false,
  log,
}: ListenOptions): Promise<Listening> => {
  let answer = notReady;
  let isStopping = false;
  let held: (() => void)[] | undefined;
  const headers = securityHeaders(secure);
  const server = createServer({
    requestTimeout,
    connectionsCheckingInterval: 500,
    requireHostHeader: false,
  });
  const lanes = new WeakMap<Duplex, Lane>();

  const answerNow = (request: IncomingMessage, response: ServerResponse): void => {
    if (held !== undefined) {
      held.push(() => answerNow(request, response));
      return;
    }
    response.setHeaders(headers);
    if (isStopping) response.setHeader('Connection', 'close');
    const refusal = isStopping && request.url === READINESS_PATH ? 503 : refusalOfHead(request);
    if (refusal !== undefined) {
      refuse(response, refusal);
      return;
    }
    // Node leaves this to us where a client asks first whether it may send the body.
    if (request.headers.expect !== undefined && request.httpVersion === '1.1')
      response.writeContinue();
    answer(request, response);
  };
  const take = (request: IncomingMessage, response: ServerResponse): void =>
    inTurn(lanes, request, response, answerNow);
  server.on('request', take);
  server.on('checkContinue', take);
  server.on('checkExpectation', (_, response) => refuse(response, 417));
  server.on('clientError', (error, socket) =>
    refuseGarbage(error, socket as Socket, lanes.get(socket)),
  );
  limitConnections(server, { most: maxConnections, stallMs: stallTimeout, log });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    address: addressOf(server),
    serve: (given) => {
      answer = given;
    },
    stop: async (drainMs = 0) => {
      isStopping = true;
      if (drainMs === 0) return closeConnections(server, 0);
      await wait(drainMs);
      held = [];
      await noMoreConnections(server);
      const closed = closeConnections(server, LAST_REQUESTS_MS);
      const waiting = held;
      held = undefined;
      for (const goOn of waiting) goOn();
      return closed;
    },
  };
};

/** Why a request is refused by its head alone, as a status; undefined where it is not. */
const refusalOfHead = (request: IncomingMessage): number | undefined => {
  const sent = hosts(request);
  if (sent > 1 || (sent === 0 && request.httpVersion !== '1.0')) return 400;
  const { 'transfer-encoding': transferEncoding, 'content-length': length } = request.headers;
  // A body in another coding would be read as it came (RFC 9112, section 6.1).
  if (transferEncoding !== undefined && !/^chunked$/i.test(transferEncoding)) return 501;
  return Number(length ?? 0) > LARGEST_BODY_KB * 1024 ? 413 : undefined;
};

/** How many Host headers were sent: not exactly one is an error, and of several each reader may pick another (RFC 9112, section 3.2). */
const hosts = ({ rawHeaders }: IncomingMessage): number => {
  let count = 0;
  // Names and values by turns.
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (/^host$/i.test(rawHeaders[index] as string)) count += 1;
  return count;
};

/** The last two requests of a connection, and how many wait for the answer before theirs. */
interface Lane {
  last: ServerResponse;
  beforeLast: ServerResponse | undefined;
  waiting: number;
}

/**
 * Takes up the requests of one connection one after the other: a client that sends many and reads no answer gets one
 * answered. Only requests that wait cost a listener.
 */
const inTurn = (
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
  if (lane.waiting > MOST_WAITING) {
    socket.destroy();
    return;
  }
  last.once('close', () => {
    lane.waiting -= 1;
    // After an answer with `Connection: close` nothing more can be answered, and so nothing more is done.
    if (socket.writable) answer(request, response);
  });
};

const WORDS: Readonly<Record<number, string>> = {
  400: 'A requisição HTTP é inválida.',
  408: 'A requisição demorou demais para chegar.',
  413: `O corpo da requisição excede ${LARGEST_BODY_KB} KiB.`,
  417: 'A expectativa da requisição não pode ser atendida.',
  431: 'Os cabeçalhos da requisição são grandes demais.',
  501: 'A requisição usa um Transfer-Encoding que não é suportado.',
  503: 'O serviço está iniciando ou encerrando. Tente novamente em instantes.',
};

const plainAnswer = (
  status: number,
): { readonly headers: Record<string, string>; readonly body: string } => {
  const body = JSON.stringify(houseError(status, WORDS[status] ?? ''));
  const length = String(Buffer.byteLength(body));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
    'X-Request-Id': randomUUID(),
  };
  return {
    headers: { ...headers, ...(status === 503 ? { 'Retry-After': '1' } : { Connection: 'close' }) },
    body,
  };
};

const refuse = (response: ServerResponse, status: number): void => {
  const { headers, body } = plainAnswer(status);
  response.writeHead(status, headers).end(body);
};

/** Supervisors restart a process that does not answer here. A process in a long migration does answer. */
export const LIVENESS = { path: '/health/live', answer: { status: 'ok' } };

/** Load balancers send no requests to a process that does not answer 200 here. */
export const READINESS_PATH = '/health/ready';

const notReady: RequestListener = ({ url }, response) => {
  if (url !== LIVENESS.path) return refuse(response, 503);
  response
    .setHeader('Content-Type', 'application/json; charset=utf-8')
    .setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(LIVENESS.answer));
};

const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Bytes that are no HTTP request never reach the application; they too get an answer in the house style. But where whole
 * requests ahead of them still wait for theirs, these come first, and then the end: a sale that is being stored must not
 * be answered with "invalid".
 */
const refuseGarbage = (
  error: NodeJS.ErrnoException,
  socket: Socket,
  lane: Lane | undefined,
): void => {
  const ahead = [lane?.last, lane?.beforeLast].find(
    (response) => response?.req.complete === true && !response.closed,
  );
  if (ahead !== undefined) {
    // Nothing else that comes on this connection can be read.
    socket.pause();
    ahead.once('close', () => socket.destroySoon());
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const { headers, body } = plainAnswer(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // Whoever still reads the request learns that no more of it will come.
  socket.destroySoon();
};

/** Resolves when no connection has come for a while, or after `HOLD_MS`. */
const noMoreConnections = async (server: Server): Promise<void> => {
  const started = performance.now();
  let lastAt = started;
  const noteConnection = (): void => {
    lastAt = performance.now();
  };
  server.on('connection', noteConnection);
  while (performance.now() - lastAt < QUIET_MS && performance.now() - started < HOLD_MS)
    await wait(5);
  await nextTurn();
  server.off('connection', noteConnection);
};

/** Lets requests in flight finish, closes connections as they become idle, and resolves when all are closed. */
const closeConnections = async (server: Server, idleMs: number): Promise<void> => {
  const closed = once(server, 'close');
  // Only the port: HTTP's own `close` would end connections that were made just now, and whose request is on its way.
  NetServer.prototype.close.call(server);
  const deadline = setTimeout(() => server.closeAllConnections(), FINISH_MS);
  if (idleMs > 0) await Promise.race([closed, wait(idleMs)]);
  // A connection kept alive becomes idle only after its last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
};

const addressOf = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
};
