import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { describeFault } from '../../../application/describe-fault.ts';
import type { Recognize } from '../../../application/identity/authenticate.ts';
import { noteRoute } from '../server/event-loop-watch.ts';
import type { AnswerPlain } from '../server/listen.ts';
import { MAX_BODY_KIB } from '../server/request-head.ts';
import type { Exchange, State } from './context.ts';
import { answerTo } from './error-answers.ts';
import { countRequest, type Limits } from './rate-limits.ts';
import { readJsonText } from './request-body.ts';
import { logRequest, ownHostCheck, readApplicant, type TrustProxy } from './request-origin.ts';
import type { Route } from './route.ts';

/** A route whose work is one handler. */
type HandledRoute = Extract<Route, { readonly handle: unknown }>;

export interface CompiledParts {
  readonly recognize: Recognize;
  readonly limits: Limits;
  readonly log: Logger;
  readonly publicUrl: string;
  readonly trustProxy: TrustProxy;
}

/** A plain request: its route, and the parameter at the end of its path. */
interface Match {
  readonly route: HandledRoute;
  readonly params: Readonly<Record<string, string>>;
}

const BEARER = 'Bearer ';

class PlainExchange implements Exchange {
  readonly state: State;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly request: { body?: unknown } = {};
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
}

/**
 * Returns the second execution of the routes with a handler, for plain requests: the same checks
 * and the same handler as Koa runs, in one function, without Koa's context and middleware. A
 * request is plain if there is nothing to decide about it: its token has been verified before and
 * lives, its JSON body has a known length and no encoding, and its path has no query.
 *
 * It returns false for any other request, which it has not touched.
 */
export const compileRoutes = (routes: readonly Route[], parts: CompiledParts): AnswerPlain => {
  const { recognize, limits, log, publicUrl, trustProxy } = parts;
  const find = compileMatcher(routes);
  const isOwnHost = ownHostCheck(publicUrl);
  const count = countRequest(limits);

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: PlainExchange,
    route: HandledRoute,
  ): Promise<void> => {
    const startedAt = performance.now();
    try {
      count(exchange);
      if (route.body !== undefined) {
        exchange.request.body = readJsonText(await readText(request));
        noteRoute(route.path);
      }
      const handling = route.handle(exchange);
      if (handling !== undefined) await handling;
    } catch (error) {
      const { status, body, headers } = answerTo(error, exchange.state, log);
      exchange.status = status;
      exchange.body = body;
      for (const [name, value] of Object.entries(headers)) exchange.set(name, value);
    }
    send(response, exchange);
    logRequest(log, startedAt, exchange);
  };

  return function answerPlain(request, response, headers) {
    const match = find(request);
    if (match === undefined) return false;
    const { authorization, host = '' } = request.headers;
    if (authorization?.startsWith(BEARER) !== true || !isOwnHost(host)) return false;
    const caller = recognize(authorization.slice(BEARER.length));
    const { route, params } = match;
    if (caller === undefined || !caller.scopes.includes(route.scope as never)) return false;

    noteRoute(route.path);
    const applicant = readApplicant(request, trustProxy);
    const state: State = { applicant, route: route.path, caller, clientId: caller.clientId };
    const id = applicant.requestId as string;
    const answerHeaders = [...headers, 'X-Request-Id', id, 'Cache-Control', 'no-store'];
    const exchange = new PlainExchange(request, state, params, answerHeaders);
    answer(request, response, exchange, route).catch((error: unknown) => {
      log.error({ fault: describeFault(error) }, 'answer failed');
      response.destroy();
    });
    return true;
  };
};

/** Returns the function that finds the route of a plain request. */
const compileMatcher = (routes: readonly Route[]) => {
  const byPath = new Map<string, Match>();
  const byPrefix = new Map<string, { readonly route: HandledRoute; readonly name: string }>();
  for (const route of routes) {
    if (!('handle' in route) || route.scope === undefined) continue;
    for (const path of [`/api${route.path}`, ...(route.alsoAtRoot ? [route.path] : [])]) {
      const [, prefix, name] = /^(.*\/)\{(\w+)\}$/.exec(path) ?? [];
      if (prefix !== undefined && name !== undefined)
        byPrefix.set(`${route.method} ${prefix}`, { route, name });
      else if (!path.includes('{')) byPath.set(`${route.method} ${path}`, { route, params: {} });
    }
  }

  return function findRoute(request: IncomingMessage): Match | undefined {
    const { method, url = '' } = request;
    if (method === 'POST') {
      const match = byPath.get(`post ${url}`);
      return match !== undefined && hasPlainBody(request) ? match : undefined;
    }
    if (method !== 'GET' || hasBody(request)) return undefined;
    const end = url.lastIndexOf('/') + 1;
    const value = url.slice(end);
    const found = byPrefix.get(`get ${url.slice(0, end)}`);
    // Any other character may be an escape, or begin a query.
    if (found === undefined || !/^[\w-]+$/.test(value)) return undefined;
    return { route: found.route, params: { [found.name]: value } };
  };
};

const JSON_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
]);

const hasPlainBody = ({ headers }: IncomingMessage): boolean => {
  const length = Number(headers['content-length']);
  return (
    JSON_TYPES.has(headers['content-type']) &&
    headers['content-encoding'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    length > 0 &&
    length <= MAX_BODY_KIB * 1024
  );
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** The whole body, decoded. Rejects if the connection ends before the body does. */
const readText = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let others: Buffer[] | undefined;
    request.on('data', (chunk: Buffer) => {
      if (first === undefined) first = chunk;
      else if (others === undefined) others = [first, chunk];
      else others.push(chunk);
    });
    request.on('end', () => {
      const bytes = others === undefined ? (first as Buffer) : Buffer.concat(others);
      const text = bytes.toString();
      resolve(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    });
    request.on('error', reject);
  });

const BYTE_ORDER_MARK = 0xfeff;

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
