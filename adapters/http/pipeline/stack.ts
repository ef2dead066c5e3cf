import Router from '@koa/router';
import type { Logger } from 'pino';
import { noteRoute } from '../server/event-loop-watch.ts';
import type { KoaApp } from './answer-head.ts';
import { requireScope } from './bearer-access.ts';
import type { Context, State, Step } from './context.ts';
import { answerErrors, answerOtherMethods } from './error-answers.ts';
import { announceRateLimit, type Limits, limitNetwork } from './rate-limits.ts';
import { bodyReaderOf } from './request-body.ts';
import { type IdentifyParts, identifyRequest, requireOwnHost } from './request-origin.ts';
import { limitQuery, refuseQuery } from './request-query.ts';
import type { Route } from './route.ts';

interface StackParts extends IdentifyParts {
  readonly log: Logger;
  readonly limits: Limits;
  readonly publicUrl: string;
  /** The routes, each run by `runRoute`. */
  readonly routes: Step;
  /** Pages that answer what no route does. */
  readonly pages?: Step | undefined;
  /** Shows browsers a page for a path that nothing answers. */
  readonly answerUnknownPath: Step;
}

/** Each request passes these steps from the top to the bottom, and its answer back to the top. */
export const addSteps = (app: KoaApp, parts: StackParts): void => {
  const { log, limits, publicUrl, routes, pages, answerUnknownPath } = parts;
  // Its id and origin. On the way back: writes the answer, logs and notes the request.
  app.use(identifyRequest(parts));
  // On the way back: what was thrown becomes an answer.
  app.use(answerErrors(log));
  // On the way back: counts a request that no client made, and announces what is left.
  app.use(announceRateLimit(limits));
  app.use(requireOwnHost(publicUrl));
  app.use(limitQuery);
  app.use(routes);
  if (pages !== undefined) app.use(limitNetwork(limits)).use(pages);
  app.use(answerOtherMethods);
  app.use(answerUnknownPath);
};

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

/** Segments that name an area: `api/private/integration`, `private/integration`. */
const segmentsOf = (path: string): number => (path.startsWith('/api/') ? 3 : 2);

/** The first segments of a path, at most so many. */
const areaOf = (path: string): string => {
  let end = 0;
  for (let left = segmentsOf(path); left > 0 && end >= 0; left -= 1)
    end = path.indexOf('/', end + 1);
  const area = end < 0 ? path : path.slice(0, end);
  return area.length > 1 && area.endsWith('/') ? area.slice(0, -1) : area;
};

/**
 * The routes, in a router for each area of paths: a router tries each of its paths for every request.
 * Paths are case-sensitive, because limits and logs know routes by their exact paths.
 */
export class Areas {
  readonly #routers = new Map<string, Router<State>>();
  /** The routes without an area of their own. */
  readonly others = new Router<State>({ sensitive: true });

  add({ method, path, alsoAtRoot }: Route, step: Step): void {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const each of [`/api${pattern}`, ...(alsoAtRoot ? [pattern] : [])]) {
      const area = areaOf(each);
      // Such an area would have a parameter in the place of a name.
      const router = area.includes(':') ? this.others : this.#routerOf(area);
      router[method](each, step);
    }
  }

  #routerOf(area: string): Router<State> {
    const router = this.#routers.get(area) ?? new Router<State>({ sensitive: true });
    this.#routers.set(area, router);
    return router;
  }

  /** Runs the route of a request. */
  step(): Step {
    const steps = new Map<string, Step>();
    for (const [area, router] of this.#routers) steps.set(area, router.routes() as Step);
    const others = this.others.routes() as Step;
    return function runArea(ctx, next) {
      return (steps.get(areaOf(ctx.path)) ?? others)(ctx, next);
    };
  }
}
