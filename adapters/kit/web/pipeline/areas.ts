import Router from '@koa/router';
import type { State, Step } from './context.ts';
import type { Endpoint } from './endpoint.ts';

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

  add({ method, path, alsoAtRoot }: Endpoint, step: Step): void {
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
