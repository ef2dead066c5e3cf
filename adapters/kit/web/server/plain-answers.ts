import { randomUUID } from 'node:crypto';
import { type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorCodeHeader, standardErrorBody } from '../../contract/answer-error.ts';
import type { ErrorCode } from '../../contract/error-codes.ts';
import { type Lane, MAX_BODY_KIB, mayBeLong } from './request-limits.ts';

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
}

/** A status with which a request is refused that the application does not see. */
export type PlainStatus = 400 | 408 | 413 | 417 | 431 | 501 | 503;

const REFUSALS: Readonly<Record<PlainStatus, Refusal>> = {
  400: { code: 'invalid_request', message: 'A requisição HTTP é inválida.' },
  408: { code: 'request_timeout', message: 'A requisição demorou demais para chegar.' },
  413: {
    code: 'body_too_large',
    message: `O corpo da requisição excede ${MAX_BODY_KIB} KiB.`,
  },
  417: {
    code: 'expectation_failed',
    message: 'A expectativa da requisição não pode ser atendida.',
  },
  431: { code: 'headers_too_large', message: 'Os cabeçalhos da requisição são grandes demais.' },
  501: {
    code: 'unsupported_transfer_encoding',
    message: 'A requisição usa um Transfer-Encoding que não é suportado.',
  },
  503: {
    code: 'unavailable',
    message: 'O serviço está iniciando ou encerrando. Tente novamente em instantes.',
  },
};

interface PlainAnswer {
  readonly headers: Record<string, string>;
  readonly body: string;
}

const createPlainAnswer = (status: PlainStatus): PlainAnswer => {
  const { code, message } = REFUSALS[status];
  const body = JSON.stringify(standardErrorBody(status, code, message));
  const length = String(Buffer.byteLength(body));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': length,
    'X-Request-Id': randomUUID(),
    ...errorCodeHeader(code),
  };
  return {
    headers: { ...headers, ...(status === 503 ? { 'Retry-After': '1' } : { Connection: 'close' }) },
    body,
  };
};

/** Answers a request that the application does not see. */
export const refuseRequest = (response: ServerResponse, status: PlainStatus): void => {
  const { headers, body } = createPlainAnswer(status);
  response.writeHead(status, headers).end(body);
};

/** Supervisors restart a process that does not answer here. It answers during a long migration. */
export const LIVENESS = { path: '/health/live', answer: { status: 'ok' } };

/** Load balancers send requests to a process while it answers 200 here. */
export const READINESS_PATH = '/health/ready';

/** Answers before the application is ready: the liveness path, and 503 for every other. */
export const answerNotReady: RequestListener = ({ url }, response) => {
  if (url !== LIVENESS.path) return refuseRequest(response, 503);
  response
    .setHeader('Content-Type', 'application/json; charset=utf-8')
    .setHeader('Cache-Control', 'no-store');
  response.end(JSON.stringify(LIVENESS.answer));
};

const STATUS_OF_ERROR: Readonly<Record<string, PlainStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers bytes that are not an HTTP request, or a request that takes too long to arrive. If complete requests before them still wait for
 * their answers, those answers are sent instead, and then the connection ends: the client of a
 * sale that is being stored must not take "invalid" for the answer to it.
 */
export const refuseMalformedRequest = (
  error: NodeJS.ErrnoException,
  socket: Socket,
  lane: Lane | undefined,
): void => {
  // Node leaves the connection as it is.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayBeLong(lane?.last.req)) return;

  const unanswered = [lane?.last, lane?.beforeLast].find(
    (response) => response?.req.complete === true && !response.closed,
  );
  if (unanswered !== undefined) {
    // Nothing after the malformed bytes can be read.
    socket.pause();
    unanswered.once('close', () => socket.destroySoon());
    return;
  }

  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  // An answer that has begun, while its body was coming, cannot become another one.
  if (lane?.last.headersSent && !lane.last.closed) return void socket.destroySoon();
  const status = STATUS_OF_ERROR[error.code ?? ''] ?? 400;
  const { headers, body } = createPlainAnswer(status);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  // Ends a handler that still reads this request's body.
  socket.destroySoon();
};
