import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** How many times per stall timeout the connections are checked. */
const CHECKS_PER_STALL_TIMEOUT = 6;

/** Time between two log lines about refused connections, ms. */
const LOG_INTERVAL_MS = 10_000;

export interface ConnectionLimits {
  /** Largest number of connections at the same time. */
  readonly maxConnections: number;
  /** Time in which a client has to read a part of its pending answer, ms. */
  readonly stallMs: number;
  /** Whether the client of a connection need not read now. */
  readonly mayReadLater: (socket: Socket) => boolean;
  readonly log: Pick<Logger, 'warn'> | undefined;
}

/** How many bytes of a connection the operating system has taken over, and how many wait. */
interface Progress {
  sent: number;
  queued: number;
  /** When `sent` or `queued` last changed, ms of `performance.now`. */
  since: number;
}

/**
 * Closes connections above a number at once, and those whose clients stop reading their answers,
 * because unread answers fill the memory. Connections are counted here instead of by Node's
 * `maxConnections`: a process of a cluster that refuses one by that is given it again.
 */
export const limitConnections = (
  server: Server,
  { maxConnections, stallMs, mayReadLater, log }: ConnectionLimits,
): void => {
  const connections = new Map<Socket, Progress>();
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  const refuseConnection = (socket: Socket): void => {
    socket.destroy();
    refused += 1;
    const now = performance.now();
    if (now - loggedAt < LOG_INTERVAL_MS) return;
    loggedAt = now;
    log?.warn(
      { refused, MAX_CONNECTIONS: maxConnections },
      'connections were refused: there are too many',
    );
    refused = 0;
  };

  server.prependListener('connection', (socket: Socket) => {
    if (connections.size >= maxConnections) {
      refuseConnection(socket);
      return;
    }
    connections.set(socket, { sent: 0, queued: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });

  const closeStalled = (): void => {
    const now = performance.now();
    let stalled = 0;
    for (const [socket, progress] of connections) {
      const sent = socket.bytesWritten - socket.writableLength;
      const queued = bytesQueuedIn(socket);
      const isMoving =
        socket.writableLength === 0 ||
        sent > progress.sent ||
        queued < progress.queued ||
        mayReadLater(socket);
      progress.queued = queued;
      if (isMoving) {
        progress.sent = sent;
        progress.since = now;
      } else if (now - progress.since >= stallMs) {
        stalled += 1;
        socket.destroy();
      }
    }
    if (stalled > 0) log?.warn({ stalled }, 'connections were closed: their clients read nothing');
  };
  const timer = setInterval(closeStalled, stallMs / CHECKS_PER_STALL_TIMEOUT).unref();
  server.once('close', () => clearInterval(timer));
};

/** Bytes of the current write that the operating system has not yet taken over. */
const bytesQueuedIn = (socket: Socket): number =>
  (socket as unknown as { readonly _handle: { readonly writeQueueSize?: number } | null })._handle
    ?.writeQueueSize ?? 0;
