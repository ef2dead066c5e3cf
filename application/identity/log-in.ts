import { instantOf, isRefusal } from '#domain';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { CheckCredentials, Credentials } from './check-credentials.ts';
import { allowedScopes } from './clients.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import type { Secrets } from './secrets.ts';
import { narrowed, type TokenGrant, tokenGrant } from './token-grant.ts';
import type { Applicant, TokenRefusal, TokenRefusals } from './token-refusals.ts';

/** Lifetime of a login and of all its refresh tokens, in seconds. */
const LOGIN_SECONDS = 7 * 24 * 60 * 60;

interface Needs {
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly secrets: Secrets;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
  readonly checkCredentials: CheckCredentials;
  readonly refusals: TokenRefusals;
}

/** Starts a login (OAuth 2.0 client credentials). `scope` narrows the client's scopes. */
export type LogIn = (
  credentials: Credentials,
  applicant: Applicant,
  scope?: string,
) => Promise<TokenGrant | TokenRefusal>;

export const makeLogIn = (parts: Needs): LogIn => {
  const { checkCredentials, accessTokens, refreshTokens, refusals, secrets, identifiers, clock } =
    parts;
  return async function logIn(credentials, applicant, scope) {
    const client = await checkCredentials(credentials, applicant);
    if (isRefusal(client)) return client;

    const { clientId, generation } = client;
    const scopes = narrowed(allowedScopes(client), scope);
    if (scopes === undefined) return refusals.known(applicant, clientId, 'invalid_scope');
    const [refreshToken, at] = [secrets.generate(), clock.now()];
    const expiresAt = instantOf(new Date(Date.parse(at) + LOGIN_SECONDS * 1000));
    const family = { familyId: identifiers.next(), clientId, scopes, generation, expiresAt };
    await refreshTokens.start(family, secrets.hash(refreshToken));
    const accessToken = accessTokens.issue({
      clientId,
      scopes,
      loginId: family.familyId,
      generation,
    });
    return tokenGrant(family, { accessToken, refreshToken }, scopes, at);
  };
};
