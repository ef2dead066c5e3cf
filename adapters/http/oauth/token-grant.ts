import Type, { type Static } from 'typebox';
import type { LogIn } from '../../../application/identity/log-in.ts';
import type { RefreshLogin } from '../../../application/identity/refresh-login.ts';
import type { TokenGrant } from '../../../application/identity/token-grant.ts';
import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import type { Context, Step } from '../pipeline/context.ts';
import { text } from '../contract/formats.ts';
import { checkedBy, word } from './oauth-body.ts';
import { credentialsOf, MISSING_CREDENTIALS } from './client-credentials.ts';
import { tokenError, tokenRefused } from './oauth-errors.ts';

export const tokenBody = Type.Object(
  {
    grant_type: word(),
    client_id: word(),
    client_secret: word(),
    refresh_token: word(),
    scope: word(),
  },
  { title: 'Token', description: 'grant_type ausente significa client_credentials' },
);

export const refreshBody = Type.Object(
  { refresh_token: text(512), client_id: word(), client_secret: word() },
  { title: 'Renovacao' },
);

export const tokens = Type.Object({
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Segundos' }),
  refresh_token: Type.String(),
  refresh_expires_in: Type.Integer({ description: 'Segundos' }),
  scope: Type.String(),
});

const answer = async (ctx: Context, outcome: TokenGrant | TokenRefusal): Promise<void> => {
  if (outcome.kind !== 'granted') throw await tokenRefused(ctx, outcome);
  ctx.state.clientId = outcome.clientId;
  ctx.set('Pragma', 'no-cache');
  ctx.body = {
    access_token: outcome.accessToken,
    token_type: 'Bearer',
    expires_in: outcome.expiresIn,
    refresh_token: outcome.refreshToken,
    refresh_expires_in: outcome.refreshExpiresIn,
    scope: outcome.scopes.join(' '),
  } satisfies Static<typeof tokens>;
};

/** Client credentials for tokens or, by `grant_type`, a refresh token for its successor. */
export const exchangeAny = (logIn: LogIn, refreshLogin: RefreshLogin): Step => {
  const bodyOf = checkedBy(tokenBody);
  return async (ctx) => {
    const body = bodyOf(ctx);
    const credentials = credentialsOf(ctx.get('Authorization'), body);
    const { applicant } = ctx.state;
    const grantType = body.grant_type ?? 'client_credentials';
    if (grantType === 'refresh_token') {
      if (body.refresh_token === undefined)
        throw tokenError('invalid_request', 'O campo refresh_token é obrigatório.');
      return answer(
        ctx,
        await refreshLogin(body.refresh_token, applicant, { credentials, scope: body.scope }),
      );
    }
    if (grantType !== 'client_credentials')
      throw tokenError(
        'unsupported_grant_type',
        'grant_type deve ser client_credentials ou refresh_token.',
      );
    if (credentials === undefined)
      throw tokenError('invalid_request', missingCredentials(ctx, body));
    return answer(ctx, await logIn(credentials, applicant, body.scope));
  };
};

/** The usual reasons why credentials that were sent are not there. */
const missingCredentials = (ctx: Context, body: Static<typeof tokenBody>): string => {
  const missing = MISSING_CREDENTIALS.slice(0, -1);
  if (body.refresh_token !== undefined)
    return `${missing}; para renovar, envie grant_type=refresh_token.`;
  const { rawBody } = ctx.request;
  return typeof rawBody === 'string' && rawBody.startsWith('{') && !ctx.request.is('json')
    ? `${missing}; um corpo JSON exige Content-Type: application/json.`
    : MISSING_CREDENTIALS;
};

export const exchangeRefreshToken = (refreshLogin: RefreshLogin): Step => {
  const bodyOf = checkedBy(refreshBody);
  return async (ctx) => {
    const body = bodyOf(ctx);
    const credentials = credentialsOf(ctx.get('Authorization'), body);
    return answer(
      ctx,
      await refreshLogin(body.refresh_token, ctx.state.applicant, { credentials }),
    );
  };
};
