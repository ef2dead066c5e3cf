import { createHash } from 'node:crypto';
import type Router from '@koa/router';
import { addMonths } from '#domain';
import type { Clock } from '../../application/clock.ts';
import { SCOPES } from '../../application/identity/clients.ts';
import { publicPath } from '../kit/web/pages/send-page.ts';
import type { Context, State, Step } from '../kit/web/pipeline/context.ts';
import { LIVENESS, READINESS_PATH } from '../kit/web/server/plain-answers.ts';
import type { GroupApis } from './groups/group-apis.ts';
import { AUDIENCES, type Audience, DOCUMENT_PATHS } from './reference/audiences.ts';
import type { Reference } from './reference/reference.ts';

/** Adds pages that links open. `limitNetwork` refuses callers that call them too often. */
export type AddPages = (router: Router<State>, limitNetwork: Step) => void;

/** Adds routes that need no token. `limitNetwork` refuses callers that call them too often. */
export type AddOpenRoutes = (
  router: Router<State>,
  limitNetwork: Step,
  reference: Reference,
) => void;

export interface OpenRouteParts {
  /** Resolves if the service can work, and rejects if it cannot. Asked for each request. */
  readonly checkReady: () => Promise<void>;
  readonly groupApis: Pick<GroupApis, 'away'>;
  /** The public keys of access tokens and of evidence, as a JWK set. */
  readonly keySet: () => Promise<object>;
  /** The public URL, without `/api`; also the issuer of the tokens. */
  readonly publicUrl: string;
  /** A URL where weaknesses are reported; undefined: none is published. */
  readonly securityContact: string | undefined;
  readonly clock: Clock;
}

/** The routes without authentication for operators, tools and other servers. */
export const createOpenRoutes =
  ({
    checkReady,
    groupApis,
    keySet,
    publicUrl,
    securityContact,
    clock,
  }: OpenRouteParts): AddOpenRoutes =>
  (router, _, reference) => {
    if (securityContact !== undefined)
      router.get('/.well-known/security.txt', (ctx) => {
        ctx.body = securityText(securityContact, publicUrl, clock);
      });
    for (const audience of AUDIENCES) {
      const path = DOCUMENT_PATHS[audience];
      router.get([path, `/api${path}`], serveReference(reference, audience));
    }
    router.get('/.well-known/jwks.json', serveKeySet(keySet));
    router.get(serverMetadataPath(publicUrl), serveDocument(serverMetadata(publicUrl)));
    router.get(LIVENESS.path, serveDocument(LIVENESS.answer, 'no-store'));
    router.get(READINESS_PATH, showReadiness(checkReady, groupApis));
  };

/** The months after which `security.txt` ends: a reader then knows that it is a former one. */
const SECURITY_TEXT_MONTHS = 6;

/** The text that says where weaknesses are reported (RFC 9116). */
const securityText = (contact: string, publicUrl: string, clock: Clock): string =>
  [
    `Contact: ${contact}`,
    `Expires: ${addMonths(clock.today(), SECURITY_TEXT_MONTHS)}T00:00:00Z`,
    'Preferred-Languages: pt, en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n');

const PUBLIC = 'public, max-age=300';

/** Serves a document that never changes. It is serialised once. */
const serveDocument = (body: object, cacheControl = PUBLIC): Step => {
  const send = sendDocument(body, cacheControl);
  return function serveDocument(ctx) {
    send(ctx);
  };
};

/** Serves the OpenAPI document for an audience. */
const serveReference = (reference: Reference, audience: Audience): Step => {
  let send: ReturnType<typeof sendBytes> | undefined;
  return async function serveReference(ctx) {
    send ??= sendBytes(await reference.read(audience), PUBLIC);
    send(ctx);
  };
};

/** Serves the public keys, to which evidence adds. */
const serveKeySet = (keySet: () => Promise<object>): Step =>
  async function serveKeySet(ctx) {
    sendDocument(await keySet(), PUBLIC)(ctx);
  };

const sendDocument = (body: object, cacheControl: string) =>
  sendBytes(Buffer.from(JSON.stringify(body)), cacheControl);

const sendBytes = (bytes: Buffer, cacheControl: string) => {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;

  return function sendBytes(ctx: Context): void {
    ctx.status = 200;
    ctx.set({ 'Cache-Control': cacheControl, ETag: etag });
    if (ctx.fresh) ctx.status = 304;
    else {
      ctx.type = 'application/json; charset=utf-8';
      ctx.body = bytes;
    }
  };
};

/** The others go on without a group that is out of reach: the service is ready, and names it. */
const showReadiness = (checkReady: () => Promise<void>, groups: Pick<GroupApis, 'away'>): Step =>
  async function showReadiness(ctx) {
    await checkReady();
    const away = groups.away();
    ctx.body = { status: 'ok', ...(away.length > 0 && { groups_unavailable: away }) };
  };

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post'];

/** The metadata of the authorization server (RFC 8414). */
const serverMetadata = (issuer: string): object => {
  const auth = `${issuer}/api/seguros/auth`;
  return {
    issuer,
    token_endpoint: `${auth}/token`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    revocation_endpoint: `${auth}/revoke`,
    introspection_endpoint: `${auth}/introspect`,
    scopes_supported: SCOPES,
    // Required, although there is no authorization endpoint.
    response_types_supported: [],
    grant_types_supported: ['client_credentials', 'refresh_token'],
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
    introspection_endpoint_auth_methods_supported: AUTH_METHODS,
    service_documentation: `${issuer}/docs`,
  };
};

/** The issuer's path follows the well-known one (RFC 8414, section 3). */
const serverMetadataPath = (issuer: string): string =>
  `/.well-known/oauth-authorization-server${publicPath(issuer)}`;
