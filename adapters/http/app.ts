import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from 'pino';
import type { Authenticate } from '../../application/identity/authenticate.ts';
import type { CreateClient } from '../../application/identity/create-client.ts';
import type { GrantTokens } from '../../application/identity/grant-tokens.ts';
import { authenticated, limited, type RateLimit } from './access.ts';
import { adminRoutes } from './admin/routes.ts';
import { refused } from './answers.ts';
import type { State, Step } from './context.ts';
import { answerErrors, describeFault } from './errors.ts';
import { type TicketRouteParts, ticketRoutes } from './ingresso/routes.ts';
import { openApi } from './openapi.ts';
import { identified, secured } from './request.ts';
import type { Route } from './routes.ts';
import { tokenRoutes } from './tokens/routes.ts';

export interface HttpParts extends TicketRouteParts {
  readonly authenticate: Authenticate;
  readonly grantTokens: GrantTokens;
  readonly createClient: CreateClient;
  /** Resolves when the service can do its work; throws when it cannot. */
  readonly checkReady: () => Promise<void>;
  readonly log: Logger;
  readonly rateLimit: RateLimit;
  /** `{base_url}`: the public address with `/api`. */
  readonly baseUrl: string;
}

const HUNG_UP: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);

/** The whole API as a Koa application. */
export const httpApp = (parts: HttpParts): Koa<State> => {
  const routes = [...tokenRoutes(parts.grantTokens, parts.rateLimit), ...ticketRoutes(parts), ...adminRoutes(parts.createClient)];
  const router = new Router<State>();
  const limit = limited(parts.rateLimit);
  for (const route of routes) {
    const access = route.scope === undefined ? [] : [authenticated(parts.authenticate, route.scope), limit];
    router[route.method](`/api${koaPath(route)}`, named(route.path), ...access, ...route.steps);
  }
  operatorRoutes(router, parts, openApi(routes, parts.baseUrl));

  const app = new Koa<State>();
  app.on('error', (error: unknown) => {
    // A caller that hangs up is no fault of ours.
    const level = HUNG_UP.has(String((error as { code?: unknown }).code)) ? 'debug' : 'error';
    parts.log[level]({ fault: describeFault(error) }, 'answer failed');
  });
  app
    .use(identified(parts.log))
    .use(secured)
    .use(answerErrors)
    .use(otherMethods)
    .use(router.routes() as Step);
  return app;
};

const koaPath = ({ path }: Route): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const named =
  (route: string): Step =>
  (ctx, next) => {
    ctx.state.route = route;
    return next();
  };

/** What operators and tools ask for. */
const operatorRoutes = (router: Router<State>, { checkReady }: HttpParts, document: object): void => {
  router.get(['/openapi.json', '/api/openapi.json'], (ctx) => {
    ctx.body = document;
  });
  router.get('/health/live', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/health/ready', async (ctx) => {
    await checkReady();
    ctx.body = { status: 'ok' };
  });
};

/** 405 with `Allow` for a path that exists under other methods; the same list for OPTIONS. */
const otherMethods: Step = async (ctx, next) => {
  await next();
  const { matched = [] } = ctx as { matched?: readonly { readonly methods: readonly string[] }[] };
  if (ctx.status !== 404 || ctx.body != null || matched.length === 0) return;
  const allow = { Allow: [...new Set(matched.flatMap(({ methods }) => methods))].join(', ') };
  if (ctx.method !== 'OPTIONS') throw refused(405, 'Método não permitido para este caminho.', {}, allow);
  ctx.set(allow);
  ctx.status = 204;
};
