import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { houseError } from '../adapters/http/answers.ts';

/** How long, in milliseconds, requests in flight may take to finish once the server is asked to stop. */
const GRACE = 10_000;

/** How long, in milliseconds, a client may take to send a whole request. */
const REQUEST_TIMEOUT = 30_000;

/** Starts listening and, in the same turn, takes `answer` for the address it got: no request finds nobody at home. */
export const listen = async (
  { port, host }: { readonly port: number; readonly host: string },
  answer: (address: string) => RequestListener,
): Promise<{ readonly server: Server; readonly address: string }> => {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT });
  server.on('clientError', refuseGarbage);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      server.on('request', answer(addressOf(server)));
      resolve();
    });
  });
  return { server, address: addressOf(server) };
};

/** Stops taking connections, lets requests in flight finish, and resolves when all is quiet. */
export const stop = async (server: Server): Promise<void> => {
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
