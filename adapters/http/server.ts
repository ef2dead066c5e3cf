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
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { houseError } from './answers.ts';
import { securityHeaders } from './security-headers.ts';

/** How long, in milliseconds, requests in flight may take to finish once the server is asked to stop. */
const GRACE = 10_000;

export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** How long, in milliseconds, a client may take to send a whole request. */
  readonly requestTimeout?: number;
  /** Whether the public address is one of HTTPS: then browsers are told to use no other. */
  readonly secure?: boolean;
}

/** A server that has its port. Until it is told to serve, it answers that it lives, and is not ready. */
export interface Listening {
  readonly address: string;
  serve(answer: RequestListener): void;
  /** Stops taking connections, lets requests in flight finish, and resolves when all is quiet. */
  stop(): Promise<void>;
}

/** Takes the port before anything else is done: where it is taken, nothing has happened yet. */
export const listen = async ({ port, host, requestTimeout = 30_000, secure = false }: ListenOptions): Promise<Listening> => {
  let answer = notReady;
  const headers = securityHeaders(secure);
  const server = createServer({ requestTimeout, connectionsCheckingInterval: 500, requireHostHeader: false });
  const inFlight = new Map<Duplex, Set<ServerResponse>>();
  server.on('request', (request, response) => {
    watch(inFlight, request.socket, response);
    response.setHeaders(headers);
    const sent = hosts(request);
    if (sent > 1 || (sent === 0 && request.httpVersion !== '1.0')) refuse(response, 400);
    else answer(request, response);
  });
  server.on('checkExpectation', (_, response) => refuse(response, 417));
  server.on('clientError', (error, socket) => refuseGarbage(error, socket as Socket, [...(inFlight.get(socket) ?? [])]));
  server.listen(port, host);
  await once(server, 'listening');
  return {
    address: addressOf(server),
    serve: (given) => {
      answer = given;
    },
    stop: () => stop(server),
  };
};

/** How many Host headers were sent: not exactly one is an error, and of several each reader may pick another (RFC 9112, section 3.2). */
const hosts = ({ rawHeaders }: IncomingMessage): number => {
  let count = 0;
  // Names and values by turns.
  for (let index = 0; index < rawHeaders.length; index += 2) if (/^host$/i.test(rawHeaders[index] as string)) count += 1;
  return count;
};

/** Keeps the answers that a connection still waits for. */
const watch = (inFlight: Map<Duplex, Set<ServerResponse>>, socket: Duplex, response: ServerResponse): void => {
  const responses = inFlight.get(socket) ?? new Set();
  inFlight.set(socket, responses.add(response));
  response.once('close', () => {
    responses.delete(response);
    if (responses.size === 0) inFlight.delete(socket);
  });
};

const WORDS: Readonly<Record<number, string>> = {
  400: 'A requisição HTTP é inválida.',
  408: 'A requisição demorou demais para chegar.',
  417: 'A expectativa da requisição não pode ser atendida.',
  431: 'Os cabeçalhos da requisição são grandes demais.',
  503: 'O serviço está iniciando. Tente novamente em instantes.',
};

const plainAnswer = (status: number): { readonly headers: Record<string, string>; readonly body: string } => {
  const body = JSON.stringify(houseError(status, WORDS[status] ?? ''));
  const length = String(Buffer.byteLength(body));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': length, 'X-Request-Id': randomUUID() };
  return { headers: { ...headers, ...(status === 503 ? { 'Retry-After': '1' } : { Connection: 'close' }) }, body };
};

const refuse = (response: ServerResponse, status: number): void => {
  const { headers, body } = plainAnswer(status);
  response.writeHead(status, headers).end(body);
};

/** Asked by whoever starts a process anew that does not live: one that is at a long migration does. */
export const LIVENESS = { path: '/health/live', answer: { status: 'ok' } };

const notReady: RequestListener = ({ url }, response) => {
  if (url !== LIVENESS.path) return refuse(response, 503);
  response.setHeader('Content-Type', 'application/json; charset=utf-8').setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(LIVENESS.answer));
};

const STATUS_OF: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/**
 * Bytes that are no HTTP request never reach the application; they too get an answer in the house style. But where whole
 * requests ahead of them still wait for theirs, these come first, and then the end: a sale that is being stored must not
 * be answered with "invalid".
 */
const refuseGarbage = (error: NodeJS.ErrnoException, socket: Socket, ahead: readonly ServerResponse[]): void => {
  const last = ahead.findLast(({ req }) => req.complete);
  if (last !== undefined) return void last.once('finish', () => socket.destroySoon());
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const { headers, body } = plainAnswer(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // Whoever still reads the request learns that no more of it will come.
  socket.destroySoon();
};

const stop = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection kept alive becomes idle only after its last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
};

const addressOf = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
};
