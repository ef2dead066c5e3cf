import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Actor } from '../../../../application/audit/audit-log.ts';
import type { Authenticate, Caller } from '../../../../application/identity/authenticate.ts';
import type { Scope } from '../../../../application/identity/clients.ts';
import type { Applicant } from '../../../../application/identity/token-refusals.ts';
import type { Effect } from '../../../../application/requests/readiness.ts';
import { type AnswerError, standardError } from '../../contract/answer-error.ts';

export type ShapeError = (error: AnswerError) => AnswerError;

/** Shows an error in another way than as JSON, which `ctx.body` holds already. */
export type ShowError = (ctx: Context, error: AnswerError) => void;

/** What a request did to which sale. */
interface RequestEffect {
  readonly effect: Effect;
  /** Null if the request is about no sale, or about several. */
  readonly saleId: number | null;
  readonly replayed: boolean;
}

/** What earlier steps of a request leave for later ones. */
export interface State {
  /** The request's address, network and id. */
  applicant: Applicant;
  /** The pattern of the matched route. Unlike the path, it holds no personal data. */
  route?: string;
  /** Set by `identifyByToken`, or by `partner-access.ts` for credentials. */
  caller?: Caller;
  /** The group of channels that the address names. */
  group?: number;
  /** The client that authenticated, by a token or by its secret. */
  clientId?: string;
  /** Gives errors the shape of this endpoint; absent, the standard one. */
  shapeError?: ShapeError;
  /** Shows errors to persons; absent, they are JSON. */
  showError?: ShowError;
  /** The name of the person who signed in. */
  person?: string;
  /** What the request did: see `request-log.ts`. */
  effect?: RequestEffect;
  /** The error that was answered. */
  failure?: AnswerError;
  /** Whether the limit of requests per minute has refused it. */
  isOverLimit?: true;
  /** Whether the request has been counted against a rate limit. */
  counted?: true;
}

/** A request as functions of a sale see it, and its answer: Koa's context, or a line of an import. */
export interface Exchange {
  readonly state: State;
  readonly headers: IncomingHttpHeaders;
  /** The parameters of the path, decoded: see `pathParameter`. */
  readonly params?: Readonly<Record<string, string>>;
  /** `rawBody`: the body as it came. */
  readonly request: { readonly body?: unknown; readonly rawBody?: unknown };
  status: number;
  body: unknown;
  /** Sets a header of the answer. */
  set(name: string, value: string): void;
}

export type Context = ParameterizedContext<State>;

/** Answers a request whose caller is known and whose body is read. @throws AnswerError */
export type Handler = (ctx: Context) => void | Promise<void>;

export type Step = Middleware<State>;

/** The caller, on a route whose steps authenticate one. */
export const callerOf = (ctx: { readonly state: State }): Caller => {
  if (ctx.state.caller === undefined)
    throw new Error('this route has not authenticated its caller');
  return ctx.state.caller;
};

/** The caller as the audit log names it: a person who signed in, or a client. */
export const actorOf = (ctx: { readonly state: State }): Actor => {
  const { person, applicant } = ctx.state;
  const { address, requestId } = applicant;
  return person === undefined
    ? { kind: 'client', name: callerOf(ctx).clientId, address, requestId }
    : { kind: 'person', name: person, address, requestId };
};

/** A parameter of the path, decoded; empty if the route has no parameter of that name. */
export const pathParameter = (exchange: object, name: string): string =>
  (exchange as Pick<Exchange, 'params'>).params?.[name] ?? '';

/** The token in an `Authorization` header, or undefined. */
export const readBearerToken = (authorization: string): string | undefined =>
  /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

/** 401. The message is the same in all cases. */
export const unauthenticated = (challenge: string): AnswerError =>
  standardError(
    401,
    'unauthenticated',
    'Token não encontrado',
    {},
    { 'WWW-Authenticate': challenge },
  );

/** Sets the caller of a request, and counts the request. @throws AnswerError 401, 429 */
export type Identify = (ctx: Context) => void | Promise<void>;

/**
 * Identifies the caller by its bearer token. Waits only where the store is asked.
 *
 * @param identifyOtherwise for requests whose `Authorization` header names no bearer token
 */
export const identifyByToken = (
  authenticate: Authenticate,
  countRequest: (ctx: Context) => void,
  identifyOtherwise?: Identify,
): Identify => {
  const setCaller = (ctx: Context, caller: Caller | undefined): void => {
    if (caller === undefined) throw unauthenticated('Bearer error="invalid_token"');
    ctx.state.caller = caller;
    ctx.state.clientId = caller.clientId;
    countRequest(ctx);
  };

  return function identifyByToken(ctx) {
    const header = ctx.get('Authorization');
    const token = readBearerToken(header);
    if (token === undefined) {
      if (identifyOtherwise && !/^Bearer\b/i.test(header)) return identifyOtherwise(ctx);
      throw unauthenticated('Bearer');
    }
    const caller = authenticate(token);
    return caller instanceof Promise
      ? caller.then((found) => setCaller(ctx, found))
      : setCaller(ctx, caller);
  };
};

/** Answers 403 to callers without the scope. */
export const requireScope = (ctx: Context, scope: Scope): void => {
  if (callerOf(ctx).scopes.includes(scope)) return;
  const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
  const message = `Este recurso exige o escopo ${scope}.`;
  throw standardError(403, 'insufficient_scope', message, {}, { 'WWW-Authenticate': challenge });
};
