import Type, { type Static } from 'typebox';
import { isRefusal } from '#domain';
import type { LogIn } from '../../../application/identity/log-in.ts';
import type { RefreshLogin } from '../../../application/identity/refresh-login.ts';
import type { TokenGrant } from '../../../application/identity/token-grant.ts';
import type { TokenRefusal } from '../../../application/refusals.ts';
import { text } from '../contract/formats.ts';
import type { Context, Step } from '../pipeline/context.ts';
import {
  compileOAuthBodyReader,
  MISSING_CREDENTIALS,
  optionalParameter,
  readCredentials,
} from './client-credentials.ts';
import { oauthError, tokenRefusalError } from './oauth-errors.ts';

export const tokenBody = Type.Object(
  {
    grant_type: optionalParameter(),
    client_id: optionalParameter(),
    client_secret: optionalParameter(),
    refresh_token: optionalParameter(),
    scope: optionalParameter(),
  },
  { title: 'Token', description: 'grant_type ausente significa client_credentials' },
);

export const refreshBody = Type.Object(
  { refresh_token: text(512), client_id: optionalParameter(), client_secret: optionalParameter() },
  { title: 'Renovacao' },
);

export const tokensAnswer = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Segundos' }),
  refresh_token: Type.String(),
  refresh_expires_in: Type.Integer({ description: 'Segundos' }),
  scope: Type.String(),
});

const answerTokens = async (ctx: Context, outcome: TokenGrant | TokenRefusal): Promise<void> => {
  if (isRefusal(outcome)) throw await tokenRefusalError(ctx, outcome);

  ctx.state.clientId = outcome.clientId;
  ctx.set('Pragma', 'no-cache');
  ctx.body = {
    access_token: outcome.accessToken,
    token_type: 'Bearer',
    expires_in: outcome.expiresIn,
    refresh_token: outcome.refreshToken,
    refresh_expires_in: outcome.refreshExpiresIn,
    scope: outcome.scopes.join(' '),
  } satisfies Static<typeof tokensAnswer>;
};

/** Grants tokens for client credentials or, by `grant_type`, for a refresh token. */
export const grantTokens = (logIn: LogIn, refreshLogin: RefreshLogin): Step => {
  const readBody = compileOAuthBodyReader(tokenBody);

  return async function grantTokens(ctx) {
    const body = readBody(ctx);
    const credentials = readCredentials(ctx.get('Authorization'), body);
    const { applicant } = ctx.state;
    const grantType = body.grant_type ?? 'client_credentials';
    if (grantType === 'refresh_token') {
      if (body.refresh_token === undefined)
        throw oauthError('invalid_request', 'O campo refresh_token é obrigatório.');
      const refreshed = await refreshLogin(body.refresh_token, applicant, {
        credentials,
        scope: body.scope,
      });
      return answerTokens(ctx, refreshed);
    }

    if (grantType !== 'client_credentials')
      throw oauthError(
        'unsupported_grant_type',
        'grant_type deve ser client_credentials ou refresh_token.',
      );
    if (credentials === undefined)
      throw oauthError('invalid_request', explainMissingCredentials(ctx, body));
    return answerTokens(ctx, await logIn(credentials, applicant, body.scope));
  };
};

/** Adds a hint about the usual mistake to the message for missing credentials. */
const explainMissingCredentials = (ctx: Context, body: Static<typeof tokenBody>): string => {
  const missing = MISSING_CREDENTIALS.slice(0, -1);
  if (body.refresh_token !== undefined)
    return `${missing}; para renovar, envie grant_type=refresh_token.`;
  const { rawBody } = ctx.request;
  return typeof rawBody === 'string' && rawBody.startsWith('{') && !ctx.request.is('json')
    ? `${missing}; um corpo JSON exige Content-Type: application/json.`
    : MISSING_CREDENTIALS;
};

export const refreshTokens = (refreshLogin: RefreshLogin): Step => {
  const readBody = compileOAuthBodyReader(refreshBody);

  return async function refreshTokens(ctx) {
    const body = readBody(ctx);
    const credentials = readCredentials(ctx.get('Authorization'), body);
    const refreshed = await refreshLogin(body.refresh_token, ctx.state.applicant, { credentials });
    return answerTokens(ctx, refreshed);
  };
};
