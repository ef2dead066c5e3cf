import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { describeFault } from '../../../application/describe-fault.ts';
import type { Caller, Recognize } from '../../../application/identity/authenticate.ts';
import type { Scope } from '../../../application/identity/clients.ts';
import type { AnswerError } from '../contract/answer-error.ts';
import { noteRoute } from '../server/event-loop-watch.ts';
import type { AnswerPlain } from '../server/listen.ts';
import type { Exchange, State } from './context.ts';
import { answerTo } from './error-answers.ts';
import type { FinishRequest, RunRequest } from './finish-request.ts';
import { compileMatcher, type HandledRoute, type Match, readPlainBody } from './plain-request.ts';
import { countAnswerOf, countRequest, type Limits } from './rate-limits.ts';
import { ownHostCheck, readApplicant, type TrustProxy } from './request-origin.ts';
import type { Route } from './route.ts';

export interface CompiledParts {
  readonly recognize: Recognize;
  readonly limits: Limits;
  readonly log: Logger;
  readonly runRequest: RunRequest;
  readonly finishRequest: FinishRequest;
  readonly publicUrl: string;
  readonly trustProxy: TrustProxy;
}

const BEARER = 'Bearer ';

class PlainExchange implements Exchange {
  readonly state: State;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly request: { body?: unknown; rawBody?: string } = {};
  readonly method: string;
  status = 200;
  body: unknown;
  /** Names and values of the answer's headers, in turns. */
  readonly answerHeaders: string[];

  constructor(
    { method = '', headers }: IncomingMessage,
    state: State,
    params: Match['params'],
    answerHeaders: string[],
  ) {
    this.method = method;
    this.headers = headers;
    this.state = state;
    this.params = params;
    this.answerHeaders = answerHeaders;
  }

  set(name: string, value: string): void {
    const { answerHeaders } = this;
    for (let index = 0; index < answerHeaders.length; index += 2)
      if (answerHeaders[index] === name) {
        answerHeaders[index + 1] = value;
        return;
      }
    answerHeaders.push(name, value);
  }

  fail(failure: AnswerError): void {
    const { status, body, headers } = failure;
    this.state.failure = failure;
    this.status = status;
    this.body = body;
    for (const [name, value] of Object.entries(headers)) this.set(name, value);
  }
}

/**
 * Returns the second execution of the routes with a handler, for plain requests: the same checks
 * and the same handler as Koa runs, in one function, without Koa's context and middleware. A
 * request is plain if there is nothing to decide about it: its token has been verified before and
 * lives, its body has a known length and no encoding, and its path has no query.
 *
 * It returns false for any other request, which it has not touched.
 */
export const compileRoutes = (routes: readonly Route[], parts: CompiledParts): AnswerPlain => {
  const { recognize, limits, log, runRequest, finishRequest, publicUrl, trustProxy } = parts;
  const find = compileMatcher(routes);
  const isOwnHost = ownHostCheck(publicUrl);
  const count = countRequest(limits);
  const countAnswer = countAnswerOf(limits);

  /** The caller, if it is known to live and has the scope. */
  const callerOf = ({ headers }: IncomingMessage, scope: Scope): Caller | undefined => {
    const { authorization } = headers;
    if (authorization?.startsWith(BEARER) !== true) return undefined;
    const caller = recognize(authorization.slice(BEARER.length));
    return caller?.scopes.includes(scope) ? caller : undefined;
  };

  /** The work of the route. Then the request is counted, as far as it has not been. */
  const handle = async (
    request: IncomingMessage,
    exchange: PlainExchange,
    route: HandledRoute,
  ): Promise<void> => {
    try {
      if (exchange.state.caller !== undefined) count(exchange);
      if (route.body !== undefined) {
        await readPlainBody(request, exchange.request);
        noteRoute(route.path);
      }
      const handling = route.handle(exchange);
      if (handling !== undefined) await handling;
    } finally {
      countAnswer(exchange, route.path);
    }
  };

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: PlainExchange,
    route: HandledRoute,
  ): Promise<void> => {
    const startedAt = performance.now();
    try {
      await handle(request, exchange, route);
    } catch (error) {
      exchange.fail(answerTo(error, exchange.state, log));
    }
    send(response, exchange);
    finishRequest(startedAt, exchange);
  };

  return function answerPlain(request, response, headers) {
    const match = find(request);
    if (match === undefined) return false;
    const { route, params } = match;
    if (!isOwnHost(request.headers.host ?? '')) return false;
    const caller = route.scope && callerOf(request, route.scope);
    if (route.scope !== undefined && caller === undefined) return false;

    noteRoute(route.path);
    const state: State = {
      applicant: readApplicant(request, trustProxy),
      route: route.path,
      ...(caller && { caller, clientId: caller.clientId }),
      ...(route.shapeError && { shapeError: route.shapeError }),
    };
    const id = state.applicant.requestId as string;
    const answerHeaders = [...headers, 'X-Request-Id', id, 'Cache-Control', 'no-store'];
    const exchange = new PlainExchange(request, state, params, answerHeaders);
    const work = () => answer(request, response, exchange, route);
    runRequest(exchange, work).catch((error: unknown) => {
      log.error({ requestId: id, fault: describeFault(error) }, 'answer failed');
      response.destroy();
    });
    return true;
  };
};

/** Writes the answer at once: one head, and the body as JSON. */
const send = (response: ServerResponse, { status, body, answerHeaders }: PlainExchange): void => {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  answerHeaders.push('Content-Type', 'application/json; charset=utf-8');
  answerHeaders.push('Content-Length', String(length));
  response.writeHead(status, answerHeaders);
  // A text of one byte per character goes into the same write as the head.
  response.end(text, length === text.length ? 'latin1' : 'utf8');
};
