import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';

/** Time between two looks at the connections, as a part of the time that a client may read nothing. */
const LOOKS_PER_TIMEOUT = 6;

/** Time between two log lines about refused connections, ms. */
const LOG_EVERY_MS = 10_000;

export interface ConnectionLimits {
  /** Connections at the same time, at most. */
  readonly most: number;
  /** Time in which a client has to read something of what waits for it, ms. */
  readonly stallMs: number;
  readonly log: Pick<Logger, 'warn'> | undefined;
}

/** How far the system has got with what was written to a connection. */
interface Progress {
  sent: number;
  queued: number;
  since: number;
}

/**
 * Closes connections above a number as they come, and those whose clients read nothing of what waits for them: their
 * answers fill the memory. Counted here: a process of a cluster that refuses by `maxConnections` gets the connection again.
 */
export const limitConnections = (
  server: Server,
  { most, stallMs, log }: ConnectionLimits,
): void => {
  const connections = new Map<Socket, Progress>();
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  const refuse = (socket: Socket): void => {
    socket.destroy();
    refused += 1;
    const now = performance.now();
    if (now - loggedAt < LOG_EVERY_MS) return;
    loggedAt = now;
    log?.warn({ refused, MAX_CONNECTIONS: most }, 'connections were refused: there are too many');
    refused = 0;
  };

  server.prependListener('connection', (socket: Socket) => {
    if (connections.size >= most) {
      refuse(socket);
      return;
    }
    connections.set(socket, { sent: 0, queued: 0, since: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });

  const dropStalled = (): void => {
    const now = performance.now();
    let stalled = 0;
    for (const [socket, progress] of connections) {
      const [sent, queued] = [socket.bytesWritten - socket.writableLength, queuedIn(socket)];
      const isMoving =
        socket.writableLength === 0 || sent > progress.sent || queued < progress.queued;
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
  const timer = setInterval(dropStalled, stallMs / LOOKS_PER_TIMEOUT).unref();
  server.once('close', () => clearInterval(timer));
};

/** Bytes of one write that the system has not taken over yet: what Node's own time limits of sockets look at. */
const queuedIn = (socket: Socket): number =>
  (socket as unknown as { readonly _handle: { readonly writeQueueSize?: number } | null })._handle
    ?.writeQueueSize ?? 0;
