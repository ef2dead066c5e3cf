import { noteRoute } from '../server/event-loop-watch.ts';
import { requireScope } from './bearer-access.ts';
import type { Context, Step } from './context.ts';
import { bodyReaderOf } from './request-body.ts';
import { refuseQuery } from './request-query.ts';
import type { Route } from './route.ts';

/** Sets the caller of a request, and counts the request. @throws AnswerError 401, 429 */
export type Identify = (ctx: Context) => void | Promise<void>;

/**
 * The work of a route: its caller, the scope, the query, the body, the handler. What is known in
 * memory is not waited for.
 *
 * @param identify undefined where the route has no authentication
 */
export const runRoute = (route: Route, identify: Identify | undefined): Step => {
  const { path, shapeError, scope, partnerCredentials, query, handle } = route;
  const readBody = bodyReaderOf(route);
  // The product endpoints have always ignored unknown query parameters.
  const refusesQuery =
    query === undefined &&
    (scope === 'admin' || (scope !== undefined && partnerCredentials === true));

  return async function runRoute(ctx) {
    ctx.state.route = path;
    if (shapeError !== undefined) ctx.state.shapeError = shapeError;
    noteRoute(path);
    if (scope !== undefined && identify !== undefined) {
      const identified = identify(ctx);
      if (identified !== undefined) await identified;
      requireScope(ctx, scope);
    }
    if (refusesQuery) refuseQuery(ctx);
    if (readBody !== undefined) await readBody(ctx);
    await handle(ctx);
  };
};
