import Type, { type Static } from 'typebox';
import { isRefusal } from '#domain';
import type { LogIn } from '../../../application/identity/log-in.ts';
import type { RefreshLogin } from '../../../application/identity/refresh-login.ts';
import type { TokenGrant } from '../../../application/identity/token-grant.ts';
import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import { text } from '../../kit/contract/formats.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import type { Exchange, Handler } from '../../kit/web/pipeline/context.ts';
import {
  compileOAuthBodyReader,
  MISSING_CREDENTIALS,
  optionalParameter,
  readCredentials,
} from './client-credentials.ts';
import { oauthError, tokenRefusalError } from './oauth-errors.ts';

/** Long enough for a JWT, which is answered like any other token that is not one of ours. */
const refreshToken = () => text(8_192);

export const tokenBody = Type.Object(
  {
    grant_type: optionalParameter(),
    client_id: optionalParameter(),
    client_secret: optionalParameter(),
    refresh_token: Type.Optional(refreshToken()),
    scope: optionalParameter(),
  },
  { title: 'TokenRequest', description: 'grant_type ausente significa client_credentials' },
);

export const refreshBody = namedObject('RefreshRequest', {
  refresh_token: refreshToken(),
  client_id: optionalParameter(),
  client_secret: optionalParameter(),
});

export const tokensAnswer = namedObject('Tokens', {
  access_token: Type.String(),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Segundos' }),
  refresh_token: Type.String(),
  refresh_expires_in: Type.Integer({ description: 'Segundos' }),
  scope: Type.String(),
});

const answerTokens = async (
  exchange: Exchange,
  outcome: TokenGrant | TokenRefusal,
): Promise<void> => {
  if (isRefusal(outcome)) throw await tokenRefusalError(exchange, outcome);

  exchange.state.clientId = outcome.clientId;
  exchange.set('Pragma', 'no-cache');
  exchange.body = {
    access_token: outcome.accessToken,
    token_type: 'Bearer',
    expires_in: outcome.expiresIn,
    refresh_token: outcome.refreshToken,
    refresh_expires_in: outcome.refreshExpiresIn,
    scope: outcome.scopes.join(' '),
  } satisfies Static<typeof tokensAnswer>;
};

/** Grants tokens for client credentials or, by `grant_type`, for a refresh token. */
export const grantTokens = (logIn: LogIn, refreshLogin: RefreshLogin): Handler => {
  const readBody = compileOAuthBodyReader(tokenBody);

  return async function grantTokens(exchange) {
    const body = readBody(exchange);
    const credentials = readCredentials(exchange.headers.authorization ?? '', body);
    const { applicant } = exchange.state;
    const grantType = body.grant_type ?? 'client_credentials';
    if (grantType === 'refresh_token') {
      if (body.refresh_token === undefined)
        throw oauthError('invalid_request', 'O campo refresh_token é obrigatório.');
      const refreshed = await refreshLogin(body.refresh_token, applicant, {
        credentials,
        scope: body.scope,
      });
      return answerTokens(exchange, refreshed);
    }

    if (grantType !== 'client_credentials')
      throw oauthError(
        'unsupported_grant_type',
        'grant_type deve ser client_credentials ou refresh_token.',
      );
    if (credentials === undefined)
      throw oauthError('invalid_client', explainMissingCredentials(exchange, body));
    return answerTokens(exchange, await logIn(credentials, applicant, body.scope));
  };
};

/** Adds a hint about the usual mistake to the message for missing credentials. */
const explainMissingCredentials = (exchange: Exchange, body: Static<typeof tokenBody>): string => {
  const missing = MISSING_CREDENTIALS.slice(0, -1);
  if (body.refresh_token !== undefined)
    return `${missing}; para renovar, envie grant_type=refresh_token.`;
  const { rawBody = '' } = exchange.request;
  const isJson = /^application\/json\b/i.test(exchange.headers['content-type'] ?? '');
  return String(rawBody).startsWith('{') && !isJson
    ? `${missing}; um corpo JSON exige Content-Type: application/json.`
    : MISSING_CREDENTIALS;
};

export const refreshTokens = (refreshLogin: RefreshLogin): Handler => {
  const readBody = compileOAuthBodyReader(refreshBody);

  return async function refreshTokens(exchange) {
    const body = readBody(exchange);
    const credentials = readCredentials(exchange.headers.authorization ?? '', body);
    const refreshed = await refreshLogin(body.refresh_token, exchange.state.applicant, {
      credentials,
    });
    return answerTokens(exchange, refreshed);
  };
};
