import type { IncomingMessage } from 'node:http';

const longBodies = new WeakSet<IncomingMessage>();
const STOP_SIGNAL = Symbol('stop signal');

interface Stoppable extends IncomingMessage {
  [STOP_SIGNAL]?: AbortSignal;
}

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

export const setStopSignal = (request: Stoppable, signal: AbortSignal): void => {
  request[STOP_SIGNAL] = signal;
};

/** Aborted once the server that received the request stops: 10 s later it ends all requests. */
export const stopSignalOf = (request: Stoppable): AbortSignal | undefined => request[STOP_SIGNAL];
