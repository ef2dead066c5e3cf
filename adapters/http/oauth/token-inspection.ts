import Type from 'typebox';
import type { Credentials } from '../../../application/identity/check-credentials.ts';
import type { Inspected, InspectTokens } from '../../../application/identity/inspect-tokens.ts';
import type { TokenRefusal } from '../../../application/identity/token-refusals.ts';
import type { Context, Step } from '../pipeline/context.ts';
import { checkedBy, word } from './oauth-body.ts';
import { credentialsOf, MISSING_CREDENTIALS } from './client-credentials.ts';
import { tokenError, tokenRefused } from './oauth-errors.ts';

export const inspectBody = Type.Object(
  // Whatever it looks like: what is none of ours is not active, and no fault.
  {
    token: Type.String({ minLength: 1 }),
    token_type_hint: word(),
    client_id: word(),
    client_secret: word(),
  },
  { title: 'TokenInformado' },
);

export const introspection = Type.Object({
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

/** Checks the body and runs `act` with the token and the credentials, which both endpoints ask for. */
const authenticatedBy = (
  act: (ctx: Context, token: string, credentials: Credentials) => Promise<TokenRefusal | undefined>,
): Step => {
  const bodyOf = checkedBy(inspectBody);
  return async (ctx) => {
    const body = bodyOf(ctx);
    const credentials = credentialsOf(ctx.get('Authorization'), body);
    if (credentials === undefined) throw tokenError('invalid_client', MISSING_CREDENTIALS);
    const refusal = await act(ctx, body.token, credentials);
    if (refusal) throw await tokenRefused(ctx, refusal);
    ctx.state.clientId = credentials.clientId;
  };
};

/** RFC 7009: 200 and nothing more, whether there was something to end or not. */
export const revokeToken = ({ revoke }: InspectTokens): Step =>
  authenticatedBy(async (ctx, token, credentials) => {
    const outcome = await revoke(token, credentials, ctx.state.applicant);
    if (outcome !== 'revoked') return outcome;
    ctx.status = 200;
    ctx.body = {};
    return undefined;
  });

/** RFC 7662: what the token is good for, or that it is not active, and no more. */
export const introspectToken = ({ introspect }: InspectTokens, issuer: string): Step =>
  authenticatedBy(async (ctx, token, credentials) => {
    const outcome = await introspect(token, credentials, ctx.state.applicant);
    if (
      outcome !== 'inactive' &&
      outcome.kind !== 'access_token' &&
      outcome.kind !== 'refresh_token'
    )
      return outcome;
    ctx.body =
      outcome === 'inactive' ? { active: false } : { active: true, ...described(outcome, issuer) };
    return undefined;
  });

const described = (inspected: Inspected, iss: string): object => {
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
