import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { houseError } from '../adapters/http/answers.ts';

/** How long, in milliseconds, requests in flight may take to finish once the server is asked to stop. */
const GRACE = 10_000;

/** How long, in milliseconds, a client may take to send a whole request. */
const REQUEST_TIMEOUT = 30_000;

/** A server that has its port. Until it is told to serve, it answers that it is not ready. */
export interface Listening {
  readonly address: string;
  serve(answer: RequestListener): void;
  /** Stops taking connections, lets requests in flight finish, and resolves when all is quiet. */
  stop(): Promise<void>;
}

/** Takes the port before anything else is done: where it is taken, nothing has happened yet. */
export const listen = async ({ port, host }: { readonly port: number; readonly host: string }): Promise<Listening> => {
  let answer = notReady;
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT }, (request, response) => answer(request, response));
  server.on('clientError', refuseGarbage).listen(port, host);
  await once(server, 'listening');
  return {
    address: addressOf(server),
    serve: (given) => {
      answer = given;
    },
    stop: () => stop(server),
  };
};

const notReady: RequestListener = (_, response) => {
  const body = JSON.stringify(houseError(503, 'O serviço está iniciando. Tente novamente em instantes.'));
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Retry-After': '1', 'X-Request-Id': randomUUID() };
  response.writeHead(503, headers).end(body);
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

/** Bytes that are no HTTP request never reach the application; they too get an answer in the house style. */
const refuseGarbage = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, reason] = error.code === 'HPE_HEADER_OVERFLOW' ? [431, 'Request Header Fields Too Large'] : [400, 'Bad Request'];
  const body = JSON.stringify(houseError(status as number, 'A requisição HTTP é inválida.'));
  const head = `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${randomUUID()}\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
};
