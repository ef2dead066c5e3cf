import type { Middleware, ParameterizedContext } from 'koa';
import type { Logger } from 'pino';
import type { Caller } from '../../application/identity/authenticate.ts';

/** What the middlewares before it leave for an endpoint. */
export interface State {
  requestId: string;
  log: Logger;
  /** The route's pattern, set when a route matches; unlike the path it names nobody. */
  route?: string;
  /** Set by `authenticated`. */
  caller?: Caller;
}

export type Context = ParameterizedContext<State>;
export type Step = Middleware<State>;

/** The caller, on a route behind `authenticated`. */
export const callerOf = (ctx: { readonly state: State }): Caller => {
  if (ctx.state.caller === undefined) throw new Error('this route has not authenticated its caller');
  return ctx.state.caller;
};

/** A parameter of the path, decoded; undefined where the route has none of that name. */
export const parameter = (ctx: Context, name: string): string | undefined =>
  (ctx as unknown as { params?: Readonly<Record<string, string>> }).params?.[name];
