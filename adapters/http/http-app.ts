import type { RequestListener } from 'node:http';
import type { Logger } from 'pino';
import type { Counters } from '../../application/counters.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { Authenticate } from '../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../application/identity/check-credentials.ts';
import { Areas } from '../kit/web/pipeline/areas.ts';
import {
  type Context,
  type Identify,
  identifyByToken,
  type Step,
} from '../kit/web/pipeline/context.ts';
import { collectHeaders, KoaApp, makeWriteAnswer } from '../kit/web/pipeline/koa-app.ts';
import { countRequest, limitNetwork } from '../kit/web/pipeline/rate-limits.ts';
import {
  type FinishParts,
  makeFinishRequest,
  type RunRequest,
} from '../kit/web/pipeline/request-log.ts';
import type { TrustProxy } from '../kit/web/pipeline/request-origin.ts';
import { addSteps, runRoute } from '../kit/web/pipeline/stack.ts';
import { createSecurityHeaders } from '../kit/web/server/security-headers.ts';
import { enterGroup, type GroupApis, inItsGroup } from './groups/group-apis.ts';
import {
  identifyPartner,
  identifyPartnerByHeader,
  type PartnerAccessParts,
} from './oauth/partner-access.ts';
import type { AddOpenRoutes, AddPages } from './open-routes.ts';
import { createReference, type Reference } from './reference/reference.ts';
import type { Route } from './routes/route.ts';

interface HttpParts extends FinishParts {
  /** Groups of endpoints, in the order of the reference. */
  readonly routes: readonly (readonly Route[])[];
  readonly openRoutes: readonly AddOpenRoutes[];
  readonly linkPages: readonly AddPages[];
  readonly groupApis: GroupApis;
  readonly authenticate: Authenticate;
  readonly checkCredentials: CheckCredentials;
  readonly runRequest: RunRequest;
  readonly counters: Counters;
  readonly requestsPerMinute: number | 'off';
  readonly trustProxy: TrustProxy;
  /** The public URL, without `/api`. */
  readonly publicUrl: string;
  readonly sitePages: { readonly answerUnknownPath: Step };
}

/** The whole API. */
export interface HttpApp {
  /** The application with its steps: see `kit/web/pipeline/stack.ts`. */
  readonly koa: KoaApp;
  readonly answer: RequestListener;
  readonly reference: Reference;
}

export const createHttpApp = (parts: HttpParts): HttpApp => {
  const { log, publicUrl } = parts;
  const limits = { counters: parts.counters, perMinute: parts.requestsPerMinute };
  const writeAnswer = makeWriteAnswer(createSecurityHeaders(publicUrl.startsWith('https:')));
  const finishRequest = makeFinishRequest(parts);

  const routes = parts.routes.flat();
  const reference = createReference(routes, publicUrl);
  const areas = new Areas();
  const identifyFor = identifyBy({ ...parts, limits });
  for (const route of routes)
    areas.add(route, runRoute(inItsGroup(route, parts.groupApis), identifyFor(route)));
  for (const add of [...parts.linkPages, ...parts.openRoutes])
    add(areas.others, limitNetwork(limits), reference);

  const app = new KoaApp();
  app.on('error', (error: unknown, ctx?: Context) => logAnswerFailure(log, error, ctx));
  collectHeaders(app);
  const { answerUnknownPath } = parts.sitePages;
  addSteps(app, {
    ...parts,
    limits,
    finishRequest,
    writeAnswer,
    enterGroup: enterGroup(parts.groupApis),
    routes: areas.step(),
    answerUnknownPath,
  });
  return { koa: app, answer: app.callback(), reference };
};

/** How the caller of each route is found; not at all where the route has no authentication. */
const identifyBy = (parts: PartnerAccessParts): ((route: Route) => Identify | undefined) => {
  const byToken = identifyByToken(parts.authenticate, countRequest(parts.limits));
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
