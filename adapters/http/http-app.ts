import type { RequestListener } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import { describeFault } from '../../application/describe-fault.ts';
import type { Authenticate, Recognize } from '../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../application/identity/check-credentials.ts';
import { type AlertRouteParts, createAlertRoutes } from './admin/alert-routes.ts';
import { type AuditRouteParts, createAuditRoutes } from './admin/audit-routes.ts';
import { type CatalogueRouteParts, createCatalogueRoutes } from './admin/catalogue-routes.ts';
import { type ClientRouteParts, createClientRoutes } from './admin/client-routes.ts';
import { createIofRateRoutes, type IofRateRouteParts } from './admin/iof-rate-routes.ts';
import { createMailingRoutes, type MailingRouteParts } from './admin/mailing-routes.ts';
import { createMetricsRoutes, type MetricsRouteParts } from './admin/metrics-route.ts';
import {
  createPaymentDecisionRoute,
  type PaymentDecisionParts,
} from './admin/payment-decision-route.ts';
import {
  createStuckTransactionRoutes,
  type StuckTransactionRouteParts,
} from './admin/stuck-transaction-routes.ts';
import { createTransactionRoutes, type TransactionRouteParts } from './admin/transaction-routes.ts';
import { createImportRoutes, type ImportParts } from './books/import-routes.ts';
import {
  createReconciliationRoutes,
  type ReconciliationRouteParts,
} from './books/reconciliation-routes.ts';
import { createStatementRoutes, type StatementRouteParts } from './books/statement-routes.ts';
import { addDocumentRoutes, type DocumentParts } from './certificates/document-routes.ts';
import { addVerifyPages, type VerifyParts } from './certificates/verify-pages.ts';
import { standardError } from './contract/answer-error.ts';
import { createFeedRoutes, type FeedRouteParts } from './events/feed-route.ts';
import { createTokenRoutes, type TokenRouteParts } from './oauth/token-routes.ts';
import { addOpenRoutes, type OpenRouteParts } from './open-routes.ts';
import { addPages, type PageParts } from './pages/page-routes.ts';
import { authenticateBearer, requireScope } from './pipeline/bearer-access.ts';
import { compileRoutes } from './pipeline/compiled.ts';
import type { Context, State, Step } from './pipeline/context.ts';
import { answerErrors } from './pipeline/error-answers.ts';
import { type FinishParts, makeFinishRequest, type RunRequest } from './pipeline/finish-request.ts';
import {
  announceRateLimit,
  type Limits,
  limitClient,
  limitNetwork,
} from './pipeline/rate-limits.ts';
import { identifyRequest, requireOwnHost, type TrustProxy } from './pipeline/request-origin.ts';
import { limitQuery, refuseQuery } from './pipeline/request-query.ts';
import { type Route, stepsOf } from './pipeline/route.ts';
import { type ArtistaRouteParts, createArtistaRoutes } from './products/artista/artista-routes.ts';
import { type CelularRouteParts, createCelularRoutes } from './products/celular/celular-routes.ts';
import {
  createIngressoRoutes,
  type IngressoRouteParts,
} from './products/ingresso/ingresso-routes.ts';
import {
  identifyPartner,
  identifyPartnerByHeader,
} from './products/integration/integration-access.ts';
import {
  createIntegrationRoutes,
  type IntegrationRouteParts,
} from './products/integration/integration-routes.ts';
import { createReference, type Reference } from './reference/reference.ts';
import { createRequestRoutes, type RequestRouteParts } from './requests/request-routes.ts';
import { noteRoute } from './server/event-loop-watch.ts';
import type { AnswerPlain } from './server/listen.ts';
import { shareCheck } from './server/shared-check.ts';
import { createWebhookRoutes, type WebhookParts } from './webhooks/payment-webhook.ts';
import { createManagedWebhookRoutes, type WebhookRouteParts } from './webhooks/webhook-routes.ts';

export interface HttpParts
  extends IngressoRouteParts,
    ArtistaRouteParts,
    CelularRouteParts,
    IntegrationRouteParts,
    ImportParts,
    ReconciliationRouteParts,
    FeedRouteParts,
    WebhookParts,
    ClientRouteParts,
    CatalogueRouteParts,
    IofRateRouteParts,
    TransactionRouteParts,
    StuckTransactionRouteParts,
    PaymentDecisionParts,
    StatementRouteParts,
    MailingRouteParts,
    WebhookRouteParts,
    AuditRouteParts,
    AlertRouteParts,
    MetricsRouteParts,
    DocumentParts,
    VerifyParts,
    PageParts,
    TokenRouteParts,
    FinishParts,
    RequestRouteParts,
    OpenRouteParts {
  readonly authenticate: Authenticate;
  readonly recognize: Recognize;
  readonly checkCredentials: CheckCredentials;
  readonly log: Logger;
  readonly runRequest: RunRequest;
  readonly limits: Limits;
  readonly trustProxy: TrustProxy;
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
  const parts = { ...given, checkReady: shareCheck(given.checkReady) };
  const { log, limits, runRequest, trustProxy, publicUrl, pages } = parts;
  const refuseNetworkOverLimit = limitNetwork(limits);

  const routes = createRoutes(parts);
  // Another case would be another path to all rules that know paths.
  const router = new Router<State>({ sensitive: true });
  addRoutes(router, routes, parts);
  const reference = createReference(routes, publicUrl);
  addOpenRoutes(router, parts, reference);
  addDocumentRoutes(router, parts, refuseNetworkOverLimit);
  addVerifyPages(router, parts, refuseNetworkOverLimit);
  addPages(router, parts, refuseNetworkOverLimit);

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

const createRoutes = (parts: HttpParts): readonly Route[] => [
  ...createTokenRoutes(parts),
  ...createIngressoRoutes(parts),
  ...createArtistaRoutes(parts),
  ...createCelularRoutes(parts),
  ...createIntegrationRoutes(parts),
  ...createImportRoutes(parts),
  ...createReconciliationRoutes(parts),
  ...createFeedRoutes(parts),
  ...createWebhookRoutes(parts),
  ...createManagedWebhookRoutes(parts),
  ...createClientRoutes(parts),
  ...createCatalogueRoutes(parts),
  ...createIofRateRoutes(parts),
  ...createTransactionRoutes(parts),
  ...createStuckTransactionRoutes(parts),
  createPaymentDecisionRoute(parts),
  ...createStatementRoutes(parts),
  ...createMailingRoutes(parts),
  ...createAuditRoutes(parts),
  ...createAlertRoutes(parts),
  ...createMetricsRoutes(parts),
  ...createRequestRoutes(parts),
];

const addRoutes = (router: Router<State>, routes: readonly Route[], parts: HttpParts): void => {
  const accessStepsOf = createAccessSteps(parts);
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const paths = [`/api${path}`, ...(route.alsoAtRoot ? [path] : [])];
    router[route.method](paths, enterRoute(route), ...accessStepsOf(route), ...stepsOf(route));
  }
};

/** The steps of a route that authenticate the caller, count the request and check the scope. */
const createAccessSteps = (parts: HttpParts): ((route: Route) => readonly Step[]) => {
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
