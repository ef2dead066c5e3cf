import type { Logger } from 'pino';
import { answerErrors, answerOtherMethods } from './answers.ts';
import { type Identify, requireScope, type Step } from './context.ts';
import type { Endpoint } from './endpoint.ts';
import type { KoaApp } from './koa-app.ts';
import { announceRateLimit, type Limits } from './rate-limits.ts';
import { bodyReaderOf } from './request-body.ts';
import { noteRoute } from './request-log.ts';
import { type IdentifyParts, identifyRequest, requireOwnHost } from './request-origin.ts';
import { limitQuery, refuseQuery } from './request-query.ts';

interface StackParts extends IdentifyParts {
  readonly log: Logger;
  readonly limits: Limits;
  readonly publicUrl: string;
  /** Leads an address that names a group of channels to it. */
  readonly enterGroup: Step;
  /** The routes, each run by `runRoute`. */
  readonly routes: Step;
  /** Shows browsers a page for a path that nothing answers. */
  readonly answerUnknownPath: Step;
}

/** Each request passes these steps from the top to the bottom, and its answer back to the top. */
export const addSteps = (app: KoaApp, parts: StackParts): void => {
  const { log, limits, publicUrl, enterGroup, routes, answerUnknownPath } = parts;
  // Its id and origin. On the way back: writes the answer, logs and notes the request.
  app.use(identifyRequest(parts));
  // On the way back: what was thrown becomes an answer.
  app.use(answerErrors(log));
  // On the way back: counts a request that no client made, and announces what is left.
  app.use(announceRateLimit(limits));
  app.use(requireOwnHost(publicUrl));
  app.use(limitQuery);
  app.use(enterGroup);
  app.use(routes);
  app.use(answerOtherMethods);
  app.use(answerUnknownPath);
};

/**
 * The work of a route: its caller, the scope, the query, the body, the handler. What is known in
 * memory is not waited for.
 *
 * @param identify undefined where the route has no authentication
 */
export const runRoute = (route: Endpoint, identify: Identify | undefined): Step => {
  const { path, shapeError, showError, scope, partnerCredentials, query, handle } = route;
  const endHeaders = route.deprecated && headersOfEnd(route.deprecated);
  const readBody = bodyReaderOf(route);
  // The product endpoints have always ignored unknown query parameters.
  const refusesQuery =
    query === undefined &&
    (scope === 'admin' || (scope !== undefined && partnerCredentials === true));

  return async function runRoute(ctx) {
    ctx.state.route = path;
    if (shapeError !== undefined) ctx.state.shapeError = shapeError;
    if (showError !== undefined) ctx.state.showError = showError;
    if (endHeaders !== undefined) ctx.set(endHeaders);
    noteRoute(path);
    if (scope !== undefined && identify !== undefined) {
      const identified = identify(ctx);
      if (identified !== undefined) await identified;
      requireScope(ctx, scope);
    }
    if (refusesQuery && ctx.querystring !== '') refuseQuery(ctx);
    if (readBody !== undefined) await readBody(ctx);
    await handle(ctx);
  };
};

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
const headersOfEnd = ({ since, ends }: NonNullable<Endpoint['deprecated']>) => ({
  Deprecation: `@${Date.parse(since) / 1_000}`,
  Sunset: new Date(ends).toUTCString(),
});
