import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { limitConnections } from './connection-limits.ts';
import {
  answerNotReady,
  READINESS_PATH,
  refuseMalformedRequest,
  refuseRequest,
} from './plain-answers.ts';
import {
  findHeadRefusal,
  isReceivingLongBody,
  type Lane,
  setStopSignal,
  startInTurn,
  withTarget,
} from './request-limits.ts';
import { createSecurityHeaders } from './security-headers.ts';
import { closeConnections, waitUntilNoConnections } from './shutdown.ts';

/** Time for connections made before the port was closed to send their request, ms. */
const LAST_REQUESTS_MS = 1_000;

const TIMEOUT_CHECK_INTERVAL_MS = 500;

export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Time for a client to send a whole request, ms. */
  readonly requestTimeout?: number;
  /** Time after which a client that reads nothing of its answer is disconnected, ms. */
  readonly stallTimeout?: number;
  /** Largest number of connections at the same time. */
  readonly maxConnections?: number;
  /** Whether the public URL is HTTPS: then answers have `Strict-Transport-Security`. */
  readonly secure?: boolean;
  readonly log?: Pick<Logger, 'warn'>;
}

/** A server that has its port. Until `serve` is called, it is live but not ready. */
export interface Listening {
  readonly address: string;
  serve(answer: RequestListener): void;
  /**
   * Answers "not ready" and serves requests with `Connection: close` for `drainMs`. Then closes the
   * port, lets requests in flight finish, and resolves once all connections are closed.
   */
  stop(drainMs?: number): Promise<void>;
}

/** Takes the port. The process starts with this, because a taken port must stop it at once. */
export const listen = async ({
  port,
  host,
  requestTimeout = 30_000,
  stallTimeout = 30_000,
  maxConnections = 4_000,
  secure = false,
  log,
}: ListenOptions): Promise<Listening> => {
  let answer = answerNotReady;
  let isStopping = false;
  const stop = new AbortController();
  let held: (() => void)[] | undefined;
  const headers = createSecurityHeaders(secure);
  const server = createServer({
    requestTimeout,
    connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    // `findHeadRefusal` checks it.
    requireHostHeader: false,
  });
  const lanes = new WeakMap<Duplex, Lane>();
  const answerRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (held !== undefined) {
      held.push(() => answerRequest(request, response));
      return;
    }

    const refusal = isStopping && request.url === READINESS_PATH ? 503 : findHeadRefusal(request);
    // The app writes them itself.
    if (refusal !== undefined || answer === answerNotReady) response.setHeaders(headers);
    if (isStopping) response.setHeader('Connection', 'close');
    if (refusal !== undefined) {
      refuseRequest(response, refusal);
      return;
    }

    // Node leaves the answer to `Expect: 100-continue` to the listener of `checkContinue`.
    if (request.headers.expect !== undefined && request.httpVersion === '1.1')
      response.writeContinue();
    answer(request, response);
  };
  const receiveRequest = (request: IncomingMessage, response: ServerResponse): void =>
    startInTurn(lanes, withTarget(request), response, answerRequest);

  server.on('connection', (socket) => setStopSignal(socket, stop.signal));
  server.on('request', receiveRequest);
  server.on('checkContinue', receiveRequest);
  server.on('checkExpectation', (_, response) => refuseRequest(response, 417));
  server.on('clientError', (error, socket) =>
    refuseMalformedRequest(error, socket as Socket, lanes.get(socket)),
  );
  limitConnections(server, {
    maxConnections,
    stallMs: stallTimeout,
    mayReadLater: (socket) => isReceivingLongBody(lanes.get(socket)?.last.req),
    log,
  });
  server.listen(port, host);
  await once(server, 'listening');

  return {
    address: addressOf(server),
    serve: (given) => {
      answer = given;
    },
    stop: async (drainMs = 0) => {
      isStopping = true;
      stop.abort();
      if (drainMs === 0) return closeConnections(server, 0);

      await wait(drainMs);
      held = [];
      await waitUntilNoConnections(server);
      const closed = closeConnections(server, LAST_REQUESTS_MS);
      const waiting = held;
      held = undefined;
      for (const answerHeld of waiting) answerHeld();
      return closed;
    },
  };
};

const addressOf = (server: Server): string => {
  const { address, port } = server.address() as AddressInfo;
  return `http://${isIPv6(address) ? `[${address}]` : address}:${port}`;
};
