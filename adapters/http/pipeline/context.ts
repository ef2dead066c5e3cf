import type { Middleware, ParameterizedContext } from 'koa';
import type { Actor } from '../../../application/audit/audit-log.ts';
import type { Caller } from '../../../application/identity/authenticate.ts';
import type { Applicant } from '../../../application/identity/token-refusals.ts';

/** What the middlewares before it leave for an endpoint. */
export interface State {
  /** Where the request came from, and its id. */
  applicant: Applicant;
  /** The route's pattern, set when a route matches; unlike the path it names nobody. */
  route?: string;
  /** Set by `authenticated`. */
  caller?: Caller;
  /** The client that proved who it is, by a token or by its secret. */
  clientId?: string;
  /** Whether the endpoint is one of OAuth, whose errors have a shape of their own as well. */
  errorsOfOAuth?: true;
  /** Whether the request has been counted against a rate limit. */
  counted?: true;
}

export type Context = ParameterizedContext<State>;
export type Step = Middleware<State>;

/** The caller, on a route behind `authenticated`. */
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

/** A parameter of the path, decoded; empty where the route has none of that name. */
export const parameter = (ctx: Context, name: string): string =>
  (ctx as unknown as { params?: Readonly<Record<string, string>> }).params?.[name] ?? '';
