import Type from 'typebox';
import { isRefusal } from '#domain';
import type { Credentials } from '../../../application/identity/check-credentials.ts';
import type { Inspected, InspectTokens } from '../../../application/identity/inspect-tokens.ts';
import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import { namedObject } from '../../kit/contract/named-object.ts';
import type { Exchange, Handler } from '../../kit/web/pipeline/context.ts';
import {
  compileOAuthBodyReader,
  MISSING_CREDENTIALS,
  optionalParameter,
  readCredentials,
} from './client-credentials.ts';
import { oauthError, tokenRefusalError } from './oauth-errors.ts';

export const inspectBody = namedObject('SentToken', {
  // Any text: a token that is not ours is inactive, not a fault.
  token: Type.String({ minLength: 1 }),
  token_type_hint: optionalParameter(),
  client_id: optionalParameter(),
  client_secret: optionalParameter(),
});

export const introspection = namedObject('Introspection', {
  active: Type.Boolean(),
  client_id: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  token_type: Type.Optional(Type.Literal('Bearer')),
  iss: Type.Optional(Type.String()),
  aud: Type.Optional(Type.String()),
  sub: Type.Optional(Type.String()),
  jti: Type.Optional(Type.String()),
  iat: Type.Optional(Type.Integer()),
  exp: Type.Optional(Type.Integer()),
});

/** Reads the token and the credentials, which both endpoints require, and calls `inspect`. */
const inspectWithCredentials = (
  inspect: (
    exchange: Exchange,
    token: string,
    credentials: Credentials,
  ) => Promise<TokenRefusal | undefined>,
): Handler => {
  const readBody = compileOAuthBodyReader(inspectBody);

  return async function inspectToken(exchange) {
    const body = readBody(exchange);
    const credentials = readCredentials(exchange.headers.authorization ?? '', body);
    if (credentials === undefined) throw oauthError('invalid_client', MISSING_CREDENTIALS);

    const refusal = await inspect(exchange, body.token, credentials);
    if (refusal) throw await tokenRefusalError(exchange, refusal);
    exchange.state.clientId = credentials.clientId;
  };
};

/** RFC 7009: an empty 200, also for a token that is not valid. */
export const revokeToken = ({ revoke }: InspectTokens): Handler =>
  inspectWithCredentials(async function revokeToken(exchange, token, credentials) {
    const outcome = await revoke(token, credentials, exchange.state.applicant);
    if (isRefusal(outcome)) return outcome;
    exchange.status = 200;
    exchange.body = {};
    return undefined;
  });

/** RFC 7662: the claims of an active token; of any other, only that it is not active. */
export const introspectToken = ({ introspect }: InspectTokens, issuer: string): Handler =>
  inspectWithCredentials(async function introspectToken(exchange, token, credentials) {
    const outcome = await introspect(token, credentials, exchange.state.applicant);
    if (isRefusal(outcome)) return outcome;
    exchange.body =
      outcome === 'inactive' ? { active: false } : { active: true, ...claimsOf(outcome, issuer) };
    return undefined;
  });

const claimsOf = (inspected: Inspected, iss: string): object => {
  if (inspected.kind === 'refresh_token') {
    const { clientId, scopes, expiresAt } = inspected.family;
    const exp = Math.floor(Date.parse(expiresAt) / 1000);
    return { client_id: clientId, scope: scopes.join(' '), iss, sub: clientId, exp };
  }
  const { clientId, scopes, tokenId, issuedAt, expiresAt } = inspected.token;
  const claims = {
    iss,
    aud: `${iss}/api`,
    sub: clientId,
    jti: tokenId,
    iat: issuedAt,
    exp: expiresAt,
  };
  return { client_id: clientId, scope: scopes.join(' '), token_type: 'Bearer', ...claims };
};
