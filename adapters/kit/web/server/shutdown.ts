import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** Time for requests in flight to finish once the port is closed, ms. */
const FINISH_MS = 10_000;

/**
 * The operating system resets connections that it has queued when the port is closed. Therefore, at
 * the end of a drain, new requests are held for at most `HOLD_MS`: their clients wait, and make no
 * new connections. The port is closed once no connection has arrived for `QUIET_MS`.
 */
const HOLD_MS = 500;
const QUIET_MS = 50;

/** Connections that the operating system queues, as Node asks it to. */
const MOST_QUEUED = 511;

const POLL_MS = 5;
const SWEEP_MS = 50;

/** Resolves once no connection has arrived for `QUIET_MS`, or after `HOLD_MS`. */
export const waitUntilNoConnections = async (server: Server): Promise<void> => {
  const startedAt = performance.now();
  let lastAt = startedAt;
  const noteConnection = (): void => {
    lastAt = performance.now();
  };
  server.on('connection', noteConnection);
  while (performance.now() - lastAt < QUIET_MS && performance.now() - startedAt < HOLD_MS)
    await wait(POLL_MS);
  // Node accepts one connection a turn: only a turn without one shows that none is queued, however
  // long this process itself was kept waiting.
  for (let turn = 0, seen = -1; turn < MOST_QUEUED && seen !== lastAt; turn += 1) {
    seen = lastAt;
    await nextTurn();
  }
  server.off('connection', noteConnection);
};

/**
 * Closes the port, lets requests in flight finish, closes idle connections, and resolves once all
 * connections are closed.
 *
 * @param idleMs how long idle connections may still send a request.
 */
export const closeConnections = async (server: Server, idleMs: number): Promise<void> => {
  const closed = once(server, 'close');
  // The `close` of node:http would also end new connections whose request is still on its way.
  NetServer.prototype.close.call(server);
  const deadline = setTimeout(() => server.closeAllConnections(), FINISH_MS);
  if (idleMs > 0) await Promise.race([closed, wait(idleMs)]);

  // A connection in keep-alive becomes idle only after its last answer.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
};
