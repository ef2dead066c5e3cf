import { ContainerModule } from 'inversify';
import { createDocumentRoutes } from '../../adapters/http/certificates/document-routes.ts';
import { createVerifyPages } from '../../adapters/http/certificates/verify-pages.ts';
import { createGroupApi } from '../../adapters/http/groups/group-api.ts';
import { createHttpApp } from '../../adapters/http/http-app.ts';
import { type AddOpenRoutes, createOpenRoutes } from '../../adapters/http/open-routes.ts';
import { readBearerToken } from '../../adapters/kit/web/pipeline/context.ts';
import type { RunRequest } from '../../adapters/kit/web/pipeline/request-log.ts';
import { createPageRoutes, Pages } from '../../adapters/site/page-routes.ts';
import { withRequestId } from '../../adapters/system/log.ts';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import type { Authenticate } from '../../application/identity/authenticate.ts';
import * as channel from './channel-use-cases.ts';
import { createConsoleEntry } from './console-entry.ts';
import { CONSOLE_NEEDS } from './console-needs.ts';
import * as own from './infrastructure.ts';
import { all, builder, maybe, type Needs, part } from './part.ts';
import * as ports from './ports.ts';
import * as sale from './sale-use-cases.ts';
import { findSite } from './site-folder.ts';
import { notesInGroups, openGroups } from './views.ts';

/** How each request is run: under its id, and in a span where traces are sent. */
export const requestsModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  build(
    own.runRequest,
    { tracing: maybe(own.tracing), authenticate: channel.authenticate },
    (given) =>
      given.tracing ? runTracedRequest(given.tracing, given.authenticate) : withRequestId,
  );
});

/**
 * Runs the work of a request under its id and in a span: of the caller's trace, if it brings an
 * access token. Otherwise a stranger could have each request traced, or join the traces of others.
 */
const runTracedRequest =
  (tracing: Tracing, authenticate: Authenticate): RunRequest =>
  (requestId, work, request) =>
    withRequestId(requestId, async () => {
      const traceparent = await callersTraceparent(request, authenticate);
      return tracing.traceRequest(request, traceparent, work);
    });

const callersTraceparent = async (
  { headers, state }: Parameters<RunRequest>[2],
  authenticate: Authenticate,
): Promise<string | undefined> => {
  const { traceparent, authorization = '' } = headers;
  if (typeof traceparent !== 'string') return undefined;
  const authenticated = async () => {
    const token = readBearerToken(authorization);
    return token !== undefined && (await authenticate(token)) !== undefined;
  };
  return state.caller !== undefined || (await authenticated().catch(() => false))
    ? traceparent
    : undefined;
};

const SHARED_CHECK_MS = 1_000;

/** Requests within a second share one check, because its callers have no rate limit. */
const shareCheck = (check: () => Promise<void>): (() => Promise<void>) => {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  return function sharedCheck() {
    const now = performance.now();
    if (last === undefined || now - last.at > SHARED_CHECK_MS) last = { at: now, outcome: check() };
    return last.outcome;
  };
};

const checkShared = part<() => Promise<void>>('checkShared');
const sitePages = part<Pages>('sitePages');
const siteFinder = part<() => Promise<string>>('siteFinder');

/** The pages that links open. */
export const linkPagesModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  const { openDocument, verifyCertificate } = sale;
  build(own.linkPages, { openDocument }, createDocumentRoutes);
  const { environment } = own;
  const { publicUrl } = ports;
  build(own.linkPages, { verifyCertificate, environment, publicUrl }, createVerifyPages);
});

/** The API of a group beside group 0. */
export const groupApiModule = new ContainerModule(({ bind }) => {
  const { counters, requestsPerMinute } = ports;
  const [routes, linkPages] = [all(own.routes), all(own.linkPages)];
  builder(bind)(own.groupApi, { routes, linkPages, counters, requestsPerMinute }, createGroupApi);
});

/** The API with its pages. What needs no login is added here, the rest in `routesModule`. */
export const httpModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  const { publicUrl, counters, requestsPerMinute, clock } = ports;
  const { environment, keySet, runRequest: run, securityContact, trustProxy, log } = own;
  const addOpen = <Given extends object>(
    create: (given: Given) => AddOpenRoutes,
    needs: Needs<Given>,
  ) => build(own.openRoutes, needs, create);

  build(checkShared, { checkReady: own.checkReady }, (given) => shareCheck(given.checkReady));
  addOpen(createOpenRoutes, {
    ...{
      checkReady: checkShared,
      groupApis: openGroups,
      clock,
      keySet,
      publicUrl,
      securityContact,
    },
  });
  const pageParts = { checkReady: checkShared, environment, publicUrl, findSite: siteFinder };
  bind(siteFinder).toConstantValue(findSite);
  build(sitePages, pageParts, (given) => new Pages(given));
  addOpen(createPageRoutes, { sitePages });

  addOpen(createConsoleEntry, CONSOLE_NEEDS);

  const { authenticate, checkCredentials } = channel;
  const needs = {
    ...{ routes: all(own.routes), openRoutes: all(own.openRoutes) },
    ...{ linkPages: all(own.linkPages), groupApis: openGroups },
    sitePages,
    ...{ authenticate, checkCredentials, counters, requestsPerMinute },
    ...{ runRequest: run, trustProxy, publicUrl, log, clock, requestNotes: notesInGroups },
    observeRequest: maybe(own.observeRequest),
  };
  build(own.httpApp, needs, createHttpApp);
});
