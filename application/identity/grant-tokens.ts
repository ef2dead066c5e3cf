import { type Instant, instantOf } from '#domain';
import type { Clock } from '../clock.ts';
import type { Identifiers } from '../identifiers.ts';
import { ACCESS_TOKEN_LIFETIME, type AccessTokens } from './access-tokens.ts';
import type { ApiClient, Clients, Scope } from './clients.ts';
import type { RefreshTokens, TokenFamily } from './refresh-tokens.ts';
import type { Secrets } from './secrets.ts';

/** How long a login lasts, in seconds: every refresh token of its family ends then. */
const REFRESH_TOKEN_LIFETIME = 7 * 24 * 60 * 60;

/** How long, in seconds, a token just used may be used again and gets the same successor: its answer may have been lost. */
const RETRY_WINDOW = 60;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

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

/** The error codes of RFC 6749, section 5.2. `reuse` tells that a stolen token may have been at work. */
export type TokenRefusal = {
  readonly kind: 'invalid_client' | 'invalid_grant' | 'invalid_scope';
  readonly reuse?: { readonly clientId: string; readonly familyId: string };
};

export interface GrantTokensParts {
  readonly clients: Clients;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
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
  login(credentials: Credentials, scope?: string): Promise<TokenGrant | TokenRefusal>;
  /**
   * Exchanges a refresh token. Credentials are not needed; where given, they must be the token's own client's.
   * `scope` narrows the access token, not the login.
   */
  refresh(refreshToken: string, options?: RefreshOptions): Promise<TokenGrant | TokenRefusal>;
}

export const grantTokens = (parts: GrantTokensParts): GrantTokens => {
  const { clients, accessTokens, refreshTokens, secrets, identifiers, clock } = parts;
  // Compared with where there is no client, so that an unknown id takes as long as a wrong secret.
  const nobodysHash = secrets.hash(secrets.generate());

  const authenticated = async ({ clientId, clientSecret }: Credentials): Promise<ApiClient | undefined> => {
    const client = await clients.find(clientId);
    const matching = (client?.secretHashes ?? [nobodysHash]).filter((hash) => secrets.matches(clientSecret, hash));
    return matching.length > 0 && client?.status === 'active' ? client : undefined;
  };

  const granted = (family: TokenFamily, refreshToken: string, at: Instant): TokenGrant => ({
    kind: 'granted',
    clientId: family.clientId,
    accessToken: accessTokens.issue({ clientId: family.clientId, scopes: family.scopes }),
    expiresIn: ACCESS_TOKEN_LIFETIME,
    refreshToken,
    refreshExpiresIn: Math.floor(secondsBetween(at, family.expiresAt)),
    scopes: family.scopes,
  });

  const login: GrantTokens['login'] = async (credentials, scope) => {
    const client = await authenticated(credentials);
    if (client === undefined) return { kind: 'invalid_client' };
    const scopes = narrowed(client.scopes, scope);
    if (scopes === undefined) return { kind: 'invalid_scope' };
    const refreshToken = secrets.generate();
    const at = clock.now();
    const expiresAt = instantOf(new Date(Date.parse(at) + REFRESH_TOKEN_LIFETIME * 1000));
    const family = { familyId: identifiers.next(), clientId: client.clientId, scopes, expiresAt };
    await refreshTokens.start(family, secrets.hash(refreshToken));
    return granted(family, refreshToken, at);
  };

  const refresh: GrantTokens['refresh'] = async (refreshToken, { credentials, scope } = {}) => {
    const caller = credentials && (await authenticated(credentials));
    if (credentials && caller === undefined) return { kind: 'invalid_client' };
    const [successor, at] = [secrets.generate(), clock.now()];
    const outcome = await refreshTokens.rotate({
      hash: secrets.hash(refreshToken),
      successorHash: secrets.hash(successor),
      sealedSuccessor: secrets.seal(successor, refreshToken),
      at,
    });
    if (outcome.kind === 'not_valid') return { kind: 'invalid_grant' };
    const { family } = outcome;
    const { clientId, familyId } = family;
    // A token in the wrong hands is spent and its family ended, like one that is used twice.
    const inWrongHands = caller !== undefined && caller.clientId !== clientId;
    const replayed = outcome.kind === 'already_rotated' && secondsBetween(outcome.rotatedAt, at) > RETRY_WINDOW;
    if (inWrongHands || replayed) {
      await refreshTokens.revokeFamily(familyId, at);
      return { kind: 'invalid_grant', reuse: { clientId, familyId } };
    }
    if ((await clients.find(clientId))?.status !== 'active') return { kind: 'invalid_grant' };
    const scopes = narrowed(family.scopes, scope);
    if (scopes === undefined) return { kind: 'invalid_scope' };
    if (outcome.kind === 'rotated') return granted({ ...family, scopes }, successor, at);
    const same = secrets.open(outcome.sealedSuccessor, refreshToken);
    return same === undefined ? { kind: 'invalid_grant' } : granted({ ...family, scopes }, same, at);
  };

  return { login, refresh };
};

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

const narrowed = (has: readonly Scope[], asked: string | undefined): readonly Scope[] | undefined => {
  if (asked === undefined || asked.trim() === '') return has;
  const names = asked.trim().split(/ +/);
  return names.every((name) => has.some((scope) => scope === name)) ? has.filter((scope) => names.includes(scope)) : undefined;
};
