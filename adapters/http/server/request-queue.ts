import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Pipelined requests of one connection that may wait for earlier answers. One more closes it. */
const MAX_WAITING_REQUESTS = 64;

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
