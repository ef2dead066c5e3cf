import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Counters } from '../../application/counters.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { Authenticate } from '../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../application/identity/check-credentials.ts';
import type { AddOpenRoutes } from './open-routes.ts';
import { collectHeaders, KoaApp, makeWriteAnswer } from './pipeline/answer-head.ts';
import { Areas } from './pipeline/areas.ts';
import { authenticateBearer } from './pipeline/bearer-access.ts';
import type { Context, Step } from './pipeline/context.ts';
import { answerErrors, answerOtherMethods } from './pipeline/error-answers.ts';
import { type FinishParts, makeFinishRequest, type RunRequest } from './pipeline/finish-request.ts';
import { announceRateLimit, countRequest, limitNetwork } from './pipeline/rate-limits.ts';
import { identifyRequest, requireOwnHost, type TrustProxy } from './pipeline/request-origin.ts';
import { limitQuery } from './pipeline/request-query.ts';
import type { Route } from './pipeline/route.ts';
import { type Identify, runRoute } from './pipeline/run-route.ts';
import {
  identifyPartner,
  identifyPartnerByHeader,
  type PartnerAccessParts,
} from './products/integration/integration-access.ts';
import { createReference, type Reference } from './reference/reference.ts';
import { createSecurityHeaders } from './server/security-headers.ts';

interface HttpParts extends FinishParts {
  /** Groups of endpoints, in the order of the reference. */
  readonly routes: readonly (readonly Route[])[];
  readonly openRoutes: readonly AddOpenRoutes[];
  readonly authenticate: Authenticate;
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

/** The whole API. */
export interface HttpApp {
  readonly answer: RequestListener;
  readonly reference: Reference;
}

/** Each request passes these steps, from the top to the bottom, and back. */
export const createHttpApp = (parts: HttpParts): HttpApp => {
  const { log, runRequest, trustProxy, publicUrl, pages } = parts;
  const limits = { counters: parts.counters, perMinute: parts.requestsPerMinute };
  const refuseNetworkOverLimit = limitNetwork(limits);
  const writeAnswer = makeWriteAnswer(createSecurityHeaders(publicUrl.startsWith('https:')));
  const finishRequest = makeFinishRequest(parts);

  const routes = parts.routes.flat();
  const reference = createReference(routes, publicUrl);
  const areas = new Areas();
  const identifyFor = identifyBy({ ...parts, limits });
  for (const route of routes) areas.add(route, runRoute(route, identifyFor(route)));
  for (const add of parts.openRoutes) add(areas.others, refuseNetworkOverLimit, reference);

  const app = new KoaApp();
  app.on('error', (error: unknown, ctx?: Context) => logAnswerFailure(log, error, ctx));
  collectHeaders(app);
  app
    .use(identifyRequest({ runRequest, finishRequest, trustProxy, writeAnswer }))
    .use(answerErrors(log))
    .use(announceRateLimit(limits))
    .use(requireOwnHost(publicUrl))
    .use(limitQuery)
    .use(areas.step());
  if (pages !== undefined) app.use(refuseNetworkOverLimit).use(pages);
  app.use(answerOtherMethods);
  return { answer: app.callback(), reference };
};

/** How the caller of each route is found; not at all where the route has no authentication. */
const identifyBy = (parts: PartnerAccessParts): ((route: Route) => Identify | undefined) => {
  const authenticate = authenticateBearer(parts.authenticate);
  const count = countRequest(parts.limits);
  const byToken: Identify = (ctx) => {
    const authenticated = authenticate(ctx);
    return authenticated instanceof Promise ? authenticated.then(() => count(ctx)) : count(ctx);
  };
  const byTokenOrCredentials = identifyPartner(parts);
  const byHeader = identifyPartnerByHeader(parts);

  return ({ scope, partnerCredentials, lines }) => {
    if (scope === undefined) return undefined;
    if (!partnerCredentials) return byToken;
    return lines === undefined ? byTokenOrCredentials : byHeader;
  };
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
