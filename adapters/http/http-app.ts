import type { RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Counters } from '../../application/counters.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { Authenticate, Recognize } from '../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../application/identity/check-credentials.ts';
import { standardError } from './contract/answer-error.ts';
import type { AddOpenRoutes } from './open-routes.ts';
import { authenticateBearer, requireScope } from './pipeline/bearer-access.ts';
import { compileRoutes } from './pipeline/compiled.ts';
import type { Context, State, Step } from './pipeline/context.ts';
import { answerErrors } from './pipeline/error-answers.ts';
import { type FinishParts, makeFinishRequest, type RunRequest } from './pipeline/finish-request.ts';
import { announceRateLimit, limitClient, limitNetwork } from './pipeline/rate-limits.ts';
import { identifyRequest, requireOwnHost, type TrustProxy } from './pipeline/request-origin.ts';
import { limitQuery, refuseQuery } from './pipeline/request-query.ts';
import { type Route, stepsOf } from './pipeline/route.ts';
import {
  identifyPartner,
  identifyPartnerByHeader,
  type PartnerAccessParts,
} from './products/integration/integration-access.ts';
import { createReference, type Reference } from './reference/reference.ts';
import { noteRoute } from './server/event-loop-watch.ts';
import type { AnswerPlain } from './server/listen.ts';

interface HttpParts extends FinishParts {
  /** Groups of endpoints, in the order of the reference. */
  readonly routes: readonly (readonly Route[])[];
  readonly openRoutes: readonly AddOpenRoutes[];
  readonly authenticate: Authenticate;
  readonly recognize: Recognize;
  readonly checkCredentials: CheckCredentials;
  readonly runRequest: RunRequest;
  readonly counters: Counters;
  readonly requestsPerMinute: number | 'off';
  readonly trustProxy: TrustProxy;
  /** Without `/api`. */
  readonly publicUrl: string;
  /** The pages of the sandbox gateway, if the service runs with it. */
  readonly pages?: Step | undefined;
}

/** The whole API: both executions of its routes. */
export interface HttpApp {
  /** Answers any request, by Koa. */
  readonly answer: RequestListener;
  /** Answers plain requests for a sale, the same but faster. */
  readonly answerPlain: AnswerPlain;
  readonly reference: Reference;
}

export const createHttpApp = (given: HttpParts): HttpApp => {
  const { log, runRequest, trustProxy, publicUrl, pages } = given;
  const limits = { counters: given.counters, perMinute: given.requestsPerMinute };
  const parts = { ...given, limits };
  const refuseNetworkOverLimit = limitNetwork(limits);

  const routes = given.routes.flat();
  // Another case would be another path to all rules that know paths.
  const router = new Router<State>({ sensitive: true });
  addRoutes(router, routes, parts);
  const reference = createReference(routes, publicUrl);
  for (const add of given.openRoutes) add(router, refuseNetworkOverLimit, reference);

  const finishRequest = makeFinishRequest(parts);
  const app = new Koa<State>();
  app.on('error', (error: unknown, ctx?: Context) => logAnswerFailure(log, error, ctx));
  app
    .use(identifyRequest({ runRequest, finishRequest, trustProxy }))
    .use(answerErrors(log))
    .use(announceRateLimit(limits))
    .use(requireOwnHost(publicUrl))
    .use(limitQuery)
    .use(setNoStore)
    .use(router.routes() as Step);
  if (pages !== undefined) app.use(refuseNetworkOverLimit).use(pages);
  app.use(answerOtherMethods);
  return {
    answer: app.callback(),
    answerPlain: compileRoutes(routes, { ...parts, finishRequest }),
    reference,
  };
};

const addRoutes = (
  router: Router<State>,
  routes: readonly Route[],
  parts: PartnerAccessParts,
): void => {
  const accessStepsOf = createAccessSteps(parts);
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const paths = [`/api${path}`, ...(route.alsoAtRoot ? [path] : [])];
    router[route.method](paths, enterRoute(route), ...accessStepsOf(route), ...stepsOf(route));
  }
};

/** The steps of a route that authenticate the caller, count the request and check the scope. */
const createAccessSteps = (parts: PartnerAccessParts): ((route: Route) => readonly Step[]) => {
  const byToken = [authenticateBearer(parts.authenticate), limitClient(parts.limits)];
  const byTokenOrCredentials = [identifyPartner(parts)];
  const byHeader = [identifyPartnerByHeader(parts)];

  return ({ scope, partnerCredentials, lines, query }) => {
    if (scope === undefined) return [];
    // The product endpoints have always ignored unknown query parameters.
    const refusesQuery = query === undefined && (scope === 'admin' || partnerCredentials === true);
    const partnerAccess = lines === undefined ? byTokenOrCredentials : byHeader;
    return [
      ...(partnerCredentials ? partnerAccess : byToken),
      requireScope(scope),
      ...(refusesQuery ? [refuseQuery] : []),
    ];
  };
};

const enterRoute = ({ path, shapeError }: Route): Step =>
  function enterRoute(ctx, next) {
    ctx.state.route = path;
    if (shapeError !== undefined) ctx.state.shapeError = shapeError;
    noteRoute(path);
    return next();
  };

const setNoStore: Step = function setNoStore(ctx, next) {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** Runs if no route matched. A path with other methods answers 405, or 204 to OPTIONS. */
const answerOtherMethods: Step = function answerOtherMethods(ctx, next) {
  const { matched = [] } = ctx as { matched?: readonly { readonly methods: readonly string[] }[] };
  if (matched.length === 0) return next();

  const allow = { Allow: [...new Set(matched.flatMap(({ methods }) => methods))].join(', ') };
  if (ctx.method !== 'OPTIONS')
    throw standardError(
      405,
      'method_not_allowed',
      'Método não permitido para este caminho.',
      {},
      allow,
    );
  ctx.set(allow);
  ctx.status = 204;
  return undefined;
};

const CLIENT_DISCONNECTED: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNABORTED',
]);

const logAnswerFailure = (log: Logger, error: unknown, ctx: Context | undefined): void => {
  const { code } = error as { code?: unknown };
  const level = CLIENT_DISCONNECTED.has(String(code)) ? 'debug' : 'error';
  const requestId = ctx?.state.applicant.requestId;
  log[level]({ requestId, fault: describeFault(error) }, 'answer failed');
};
