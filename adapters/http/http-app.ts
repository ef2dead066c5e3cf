import { createHash } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Authenticate } from '../../application/identity/authenticate.ts';
import type { CheckCredentials } from '../../application/identity/check-credentials.ts';
import { authenticated, permitted } from './pipeline/bearer-access.ts';
import { type AdminRouteParts, adminRoutes } from './admin/admin-routes.ts';
import { refused } from './contract/answer-error.ts';
import { type ArtistRouteParts, artistRoutes } from './products/artista/artista-routes.ts';
import { type PhoneRouteParts, phoneRoutes } from './products/celular/celular-routes.ts';
import { type DocumentParts, documentRoutes } from './certificates/document-routes.ts';
import { type VerifyParts, verifyPages } from './certificates/verify-pages.ts';
import type { State, Step } from './pipeline/context.ts';
import { answerErrors, describeFault } from './pipeline/error-answers.ts';
import { noteRoute } from './server/event-loop-watch.ts';
import { type TicketRouteParts, ticketRoutes } from './products/ingresso/ingresso-routes.ts';
import { partnerIdentified } from './products/integration/integration-access.ts';
import { type IntegrationRouteParts, integrationRoutes } from './products/integration/integration-routes.ts';
import { announced, type Limits, limited, untilLimit } from './pipeline/rate-limits.ts';
import { openApi } from './contract/openapi.ts';
import { limitQuery, withoutQuery } from './pipeline/request-query.ts';
import { identified, namedRightly, type TrustProxy } from './pipeline/request-origin.ts';
import type { Route } from './pipeline/route.ts';
import { LIVENESS, READINESS_PATH } from './server/listen.ts';
import { metadataOf, metadataPath } from './oauth/server-metadata.ts';
import { type TokenRouteParts, tokenRoutes } from './oauth/token-routes.ts';
import { type WebhookParts, webhookRoutes } from './webhooks/payment-webhook.ts';

export interface HttpParts
  extends TicketRouteParts,
    ArtistRouteParts,
    PhoneRouteParts,
    IntegrationRouteParts,
    WebhookParts,
    AdminRouteParts,
    DocumentParts,
    VerifyParts,
    TokenRouteParts {
  readonly authenticate: Authenticate;
  readonly checkCredentials: CheckCredentials;
  /** Resolves when the service can do its work; throws when it cannot. */
  readonly checkReady: () => Promise<void>;
  readonly log: Logger;
  readonly limits: Limits;
  readonly trustProxy: TrustProxy;
  /** The public keys of the access tokens, as a JWK set. */
  readonly keySet: () => object;
  /** Pages for people at the same address: those of the gateway that the service plays itself. */
  readonly pages?: Step | undefined;
}

const HUNG_UP: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ECONNABORTED',
]);

/** The whole API as a Koa application. */
export const httpApp = (parts: HttpParts): Koa<State> => {
  const sold = [
    ...ticketRoutes(parts),
    ...artistRoutes(parts),
    ...phoneRoutes(parts),
    ...integrationRoutes(parts),
  ];
  const routes = [...tokenRoutes(parts), ...sold, ...webhookRoutes(parts), ...adminRoutes(parts)];
  const router = new Router<State>();
  const accessTo = accessWith(parts);
  for (const route of routes) {
    const paths = [`/api${koaPath(route)}`, ...(route.alsoAtRoot ? [koaPath(route)] : [])];
    router[route.method](paths, named(route.path), ...accessTo(route), ...route.steps);
  }
  openRoutes(router, parts, openApi(routes, `${parts.publicUrl}/api`));
  const withinLimit = untilLimit(parts.limits);
  documentRoutes(router, parts, withinLimit);
  verifyPages(router, parts, withinLimit);

  const app = new Koa<State>();
  app.on('error', (error: unknown) => {
    // A caller that hangs up is no fault of ours.
    const level = HUNG_UP.has(String((error as { code?: unknown }).code)) ? 'debug' : 'error';
    parts.log[level]({ fault: describeFault(error) }, 'answer failed');
  });
  app
    .use(identified(parts.log, parts.trustProxy))
    .use(answerErrors(parts.log))
    .use(announced(parts.limits))
    .use(namedRightly(parts.publicUrl))
    .use(limitQuery)
    .use(unkept)
    .use(otherMethods)
    .use(router.routes() as Step);
  if (parts.pages !== undefined) app.use(withinLimit).use(parts.pages);
  return app;
};

/** Who may use a route: nobody in particular, or whoever proves who it is, keeps within its limit and has the scope. */
const accessWith = (parts: HttpParts): ((route: Route) => readonly Step[]) => {
  const byToken = [authenticated(parts.authenticate), limited(parts.limits)];
  const byAnyMeans = [partnerIdentified(parts)];
  return ({ scope, partnerCredentials, query }) => {
    if (scope === undefined) return [];
    // Where a typo must not pass silently.
    const isClosed = query === undefined && (scope === 'admin' || partnerCredentials === true);
    return [
      ...(partnerCredentials ? byAnyMeans : byToken),
      permitted(scope),
      ...(isClosed ? [withoutQuery] : []),
    ];
  };
};

const koaPath = ({ path }: Route): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const named =
  (route: string): Step =>
  (ctx, next) => {
    ctx.state.route = route;
    noteRoute(route);
    return next();
  };

/** Answers are of the moment, and for whoever asked. */
const unkept: Step = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store');
  return next();
};

/** What operators, tools and other servers ask for, without being anybody. */
const openRoutes = (
  router: Router<State>,
  { checkReady, keySet, publicUrl }: HttpParts,
  document: object,
): void => {
  // Serialised once: all answers share the bytes.
  const shown = (body: object, cacheControl = 'public, max-age=300'): Step => {
    const bytes = Buffer.from(JSON.stringify(body));
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    return (ctx) => {
      ctx.status = 200;
      ctx.set({ 'Cache-Control': cacheControl, ETag: etag });
      if (ctx.fresh) ctx.status = 304;
      else {
        ctx.type = 'application/json; charset=utf-8';
        ctx.body = bytes;
      }
    };
  };
  router.get(['/openapi.json', '/api/openapi.json'], shown(document));
  router.get('/.well-known/jwks.json', shown(keySet()));
  router.get(metadataPath(publicUrl), shown(metadataOf(publicUrl)));
  router.get(LIVENESS.path, shown(LIVENESS.answer, 'no-store'));
  const ready = onceASecond(checkReady);
  router.get(READINESS_PATH, async (ctx) => {
    await ready();
    ctx.body = { status: 'ok' };
  });
};

/** Whoever asks within a second of another gets the same answer: nobody is refused here, and the database not flooded. */
const onceASecond = (check: () => Promise<void>): (() => Promise<void>) => {
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > 1_000) last = { at: now, answer: check() };
    return last.answer;
  };
};

/** 405 with `Allow` for a path that exists under other methods; the same list for OPTIONS. */
const otherMethods: Step = async (ctx, next) => {
  await next();
  const { matched = [] } = ctx as { matched?: readonly { readonly methods: readonly string[] }[] };
  if (ctx.status !== 404 || ctx.body != null || matched.length === 0) return;
  const allow = { Allow: [...new Set(matched.flatMap(({ methods }) => methods))].join(', ') };
  if (ctx.method !== 'OPTIONS')
    throw refused(405, 'Método não permitido para este caminho.', {}, allow);
  ctx.set(allow);
  ctx.status = 204;
};
