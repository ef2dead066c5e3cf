import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type { Caller } from '../../../application/identity/authenticate.ts';
import type { Applicant } from '../../../application/identity/token-refusals.ts';
import type { Effect } from '../../../application/requests/readiness.ts';
import type { AnswerError } from '../contract/answer-error.ts';

export type ShapeError = (error: AnswerError) => AnswerError;

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
  /** Set by `bearer-access.ts`, or by `integration-access.ts` for credentials. */
  caller?: Caller;
  /** The client that authenticated, by a token or by its secret. */
  clientId?: string;
  /** Gives errors the shape of this endpoint; absent, the standard one. */
  shapeError?: ShapeError;
  /** What the request did: see `finish-request.ts`. */
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

/** The caller as the audit log names it. */
export const actorOf = (ctx: { readonly state: State }): Actor => {
  const { address, requestId } = ctx.state.applicant;
  return { kind: 'client', name: callerOf(ctx).clientId, address, requestId };
};

/** A parameter of the path, decoded; empty if the route has no parameter of that name. */
export const pathParameter = (exchange: object, name: string): string =>
  (exchange as Pick<Exchange, 'params'>).params?.[name] ?? '';
