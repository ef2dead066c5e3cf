import { isRefusal, refuse } from '#domain';
import { clientSubject } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { CheckCredentials, Credentials } from './check-credentials.ts';
import { allowedScopes, type Clients, honours } from './clients.ts';
import type { RefreshTokens, TokenFamily } from './refresh-tokens.ts';
import type { Secrets } from './secrets.ts';
import { narrowed, secondsBetween, type TokenGrant, tokenGrant } from './token-grant.ts';
import type { TokenRefusal } from './token-refusals.ts';
import { type Applicant, nobody, type TokenRefusals } from './token-refusals.ts';

/**
 * A rotated token may be sent again for this long and gets the same successor, because its answer
 * may have been lost. In seconds.
 */
const RETRY_WINDOW_SECONDS = 60;

interface Needs {
  readonly clients: Clients;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly checkCredentials: CheckCredentials;
  readonly refusals: TokenRefusals;
}

interface RefreshOptions {
  readonly credentials?: Credentials | undefined;
  readonly scope?: string | undefined;
}

/**
 * Exchanges a refresh token. Credentials are optional; if given, they must be of the token's
 * client. `scope` narrows the access token, not the login.
 */
export type RefreshLogin = (
  refreshToken: string,
  applicant: Applicant,
  options?: RefreshOptions,
) => Promise<TokenGrant | TokenRefusal>;

export const makeRefreshLogin = (parts: Needs): RefreshLogin => {
  const { clients, accessTokens, refreshTokens, refusals, secrets, clock } = parts;
  return async function refreshLogin(refreshToken, applicant, options = {}) {
    const continued = await continuedLogin(parts, refreshToken, applicant, options);
    if (isRefusal(continued)) return continued;
    const { family, scopes } = continued;
    const [successor, at] = [secrets.generate(), clock.now()];
    const outcome = await refreshTokens.rotate({
      hash: secrets.hash(refreshToken),
      successorHash: secrets.hash(successor),
      sealedSuccessor: secrets.seal(successor, refreshToken),
      at,
    });
    // The login has ended in the meantime.
    if (outcome.kind === 'not_valid')
      return refusals.guess(applicant, { reason: 'invalid_grant', clientId: family.clientId });
    if (
      outcome.kind === 'already_rotated' &&
      secondsBetween(outcome.rotatedAt, at) > RETRY_WINDOW_SECONDS
    )
      return endStolen(parts, family, applicant, 'used_again');
    clients.noteUse(family.clientId, at);
    const next =
      outcome.kind === 'rotated' ? successor : secrets.open(outcome.sealedSuccessor, refreshToken);
    if (next === undefined) return refuse('invalid_grant');
    const { clientId, familyId: loginId, generation } = family;
    const accessToken = accessTokens.issue({ clientId, scopes, loginId, generation });
    return tokenGrant(family, { accessToken, refreshToken: next }, scopes, at);
  };
};

/** A token that is used twice, or by another client, may be stolen: its whole login ends. */
const endStolen = async (
  { refreshTokens, clock }: Needs,
  { familyId, clientId }: TokenFamily,
  applicant: Applicant,
  reason: string,
): Promise<TokenRefusal> => {
  const subject = clientSubject(clientId);
  const entry = {
    at: clock.now(),
    action: 'token.reused' as const,
    actor: nobody(applicant),
    subject,
    reason,
    changes: [],
  };
  await refreshTokens.revokeFamily(familyId, entry);
  return refuse('invalid_grant');
};

/** The login that a refresh token continues, and its scopes. Every check comes before the token is spent. */
const continuedLogin = async (
  parts: Needs,
  refreshToken: string,
  applicant: Applicant,
  { credentials, scope }: RefreshOptions,
) => {
  const { checkCredentials, clients, refreshTokens, refusals, secrets, clock } = parts;
  const owner = credentials && (await checkCredentials(credentials, applicant));
  if (isRefusal(owner)) return owner;
  const family = (await refreshTokens.find(secrets.hash(refreshToken), clock.now()))?.family;
  if (family === undefined) return refusals.guess(applicant, { reason: 'invalid_grant' });
  const { clientId } = family;
  if (owner && owner.clientId !== clientId)
    return endStolen(parts, family, applicant, 'presented_by_another_client');
  const client = await clients.find(clientId);
  if (!honours(client, family.generation))
    return refusals.guess(applicant, { reason: 'invalid_grant', clientId });
  const tooMany = owner ? undefined : await refusals.tooMany(clientId);
  if (tooMany) return tooMany;
  const allowed = allowedScopes(client);
  const scopes = narrowed(
    family.scopes.filter((each) => allowed.includes(each)),
    scope,
  );
  return scopes === undefined
    ? refusals.known(applicant, clientId, 'invalid_scope')
    : { family, scopes };
};
