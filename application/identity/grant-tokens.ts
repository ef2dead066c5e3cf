import { type Instant, instantOf } from '#domain';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import { ACCESS_TOKEN_LIFETIME, type AccessTokens } from './access-tokens.ts';
import type { CheckCredentials, Credentials } from './check-credentials.ts';
import type { Clients, Scope } from './clients.ts';
import type { RefreshTokens, RotationOutcome, TokenFamily } from './refresh-tokens.ts';
import type { Secrets } from './secrets.ts';
import { type Applicant, nobody, type TokenRefusal, type TokenRefusals } from './token-refusals.ts';

/** How long a login lasts, in seconds: every refresh token of its family ends then. */
const REFRESH_TOKEN_LIFETIME = 7 * 24 * 60 * 60;

/** How long, in seconds, a token just used may be used again and gets the same successor: its answer may have been lost. */
const RETRY_WINDOW = 60;

export interface TokenGrant {
  readonly kind: 'granted';
  readonly clientId: string;
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  /** Seconds left of the login. */
  readonly refreshExpiresIn: number;
  readonly scopes: readonly Scope[];
}

export interface GrantTokensParts {
  readonly checkCredentials: CheckCredentials;
  readonly clients: Clients;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly refusals: TokenRefusals;
  readonly secrets: Secrets;
  readonly identifiers: Identifiers;
  readonly clock: Clock;
}

interface RefreshOptions {
  readonly credentials?: Credentials | undefined;
  readonly scope?: string | undefined;
}

export interface GrantTokens {
  /** OAuth 2.0 client credentials: starts a login. `scope` narrows what the client has. */
  login(credentials: Credentials, applicant: Applicant, scope?: string): Promise<TokenGrant | TokenRefusal>;
  /**
   * Exchanges a refresh token. Credentials are not needed; where given, they must be the token's own client's.
   * `scope` narrows the access token, not the login.
   */
  refresh(refreshToken: string, applicant: Applicant, options?: RefreshOptions): Promise<TokenGrant | TokenRefusal>;
}

export const grantTokens = (parts: GrantTokensParts): GrantTokens => {
  const { checkCredentials, clients, accessTokens, refreshTokens, refusals, secrets, identifiers, clock } = parts;

  const accessTokenOf = ({ clientId, generation, familyId: loginId }: TokenFamily, scopes: readonly Scope[]) =>
    accessTokens.issue({ clientId, scopes, loginId, generation });

  const granted = (
    { clientId, expiresAt }: TokenFamily,
    tokens: Pick<TokenGrant, 'accessToken' | 'refreshToken'>,
    scopes: readonly Scope[],
    at: Instant,
  ): TokenGrant => {
    const refreshExpiresIn = Math.floor(secondsBetween(at, expiresAt));
    return { kind: 'granted', clientId, ...tokens, expiresIn: ACCESS_TOKEN_LIFETIME, refreshExpiresIn, scopes };
  };

  const invalidScope = async (applicant: Applicant, clientId: string): Promise<TokenRefusal> => {
    await refusals.note(applicant, { reason: 'invalid_scope', clientId });
    return { kind: 'invalid_scope' };
  };

  const login: GrantTokens['login'] = async (credentials, applicant, scope) => {
    const checked = await checkCredentials(credentials, applicant);
    if ('refusal' in checked) return checked.refusal;
    const { clientId, generation, scopes: has } = checked.client;
    const scopes = narrowed(has, scope);
    if (scopes === undefined) return invalidScope(applicant, clientId);
    const [refreshToken, at] = [secrets.generate(), clock.now()];
    const expiresAt = instantOf(new Date(Date.parse(at) + REFRESH_TOKEN_LIFETIME * 1000));
    const family = { familyId: identifiers.next(), clientId, scopes, generation, expiresAt };
    // Signed while the login is being stored; the answer waits for both.
    const [accessToken] = await Promise.all([
      accessTokenOf(family, scopes),
      refreshTokens.start(family, secrets.hash(refreshToken)),
    ]);
    return granted(family, { accessToken, refreshToken }, scopes, at);
  };

  /** A token in the wrong hands is spent and its family ended, like one that is used twice. */
  const endStolen = async ({ familyId, clientId }: TokenFamily, applicant: Applicant, reason: string, at: Instant) => {
    const subject = `api-client/${clientId}`;
    const entry = { at, action: 'token.reused' as const, actor: nobody(applicant), subject, reason, changes: [] };
    await refreshTokens.revokeFamily(familyId, entry);
  };

  const refresh: GrantTokens['refresh'] = async (refreshToken, applicant, { credentials, scope } = {}) => {
    const checked = credentials && (await checkCredentials(credentials, applicant));
    if (checked && 'refusal' in checked) return checked.refusal;
    const [successor, at] = [secrets.generate(), clock.now()];
    const outcome = await refreshTokens.rotate({
      hash: secrets.hash(refreshToken),
      successorHash: secrets.hash(successor),
      sealedSuccessor: secrets.seal(successor, refreshToken),
      at,
    });
    if (outcome.kind === 'not_valid') return refusals.guess(applicant, { reason: 'invalid_grant' });
    const { family } = outcome;
    const { clientId } = family;
    const stolen = theft(outcome, checked?.client.clientId, at);
    if (stolen !== undefined) {
      await endStolen(family, applicant, stolen, at);
      return { kind: 'invalid_grant' };
    }
    const client = await clients.find(clientId);
    if (client?.status !== 'active' || client.generation !== family.generation)
      return refusals.guess(applicant, { reason: 'invalid_grant', clientId });
    const scopes = narrowed(family.scopes, scope);
    if (scopes === undefined) return invalidScope(applicant, clientId);
    clients.noteUse(clientId, at);
    const next = outcome.kind === 'rotated' ? successor : secrets.open(outcome.sealedSuccessor, refreshToken);
    if (next === undefined) return { kind: 'invalid_grant' };
    return granted(family, { accessToken: await accessTokenOf(family, scopes), refreshToken: next }, scopes, at);
  };

  return { login, refresh };
};

type Rotated = Exclude<RotationOutcome, { readonly kind: 'not_valid' }>;

/** Why a token that was rotated now, or had been, gives nothing. */
const theft = (outcome: Rotated, presenter: string | undefined, at: Instant): string | undefined => {
  if (presenter !== undefined && presenter !== outcome.family.clientId) return 'presented_by_another_client';
  const late = outcome.kind === 'already_rotated' && secondsBetween(outcome.rotatedAt, at) > RETRY_WINDOW;
  return late ? 'used_again' : undefined;
};

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

const narrowed = (has: readonly Scope[], asked: string | undefined): readonly Scope[] | undefined => {
  if (asked === undefined || asked.trim() === '') return has;
  const names = asked.trim().split(/ +/);
  return names.every((name) => has.some((scope) => scope === name)) ? has.filter((scope) => names.includes(scope)) : undefined;
};
