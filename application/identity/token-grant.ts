import type { Instant } from '#domain';
import { ACCESS_TOKEN_SECONDS } from './access-tokens.ts';
import type { Scope } from './clients.ts';
import type { TokenFamily } from './refresh-tokens.ts';

export interface TokenGrant {
  readonly kind: 'granted';
  readonly clientId: string;
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshToken: string;
  /** Seconds until the login ends. */
  readonly refreshExpiresIn: number;
  readonly scopes: readonly Scope[];
}

/** The answer to a login or refresh. `scopes` may be fewer than the login's. */
export const tokenGrant = (
  { clientId, expiresAt }: TokenFamily,
  tokens: Pick<TokenGrant, 'accessToken' | 'refreshToken'>,
  scopes: readonly Scope[],
  at: Instant,
): TokenGrant => {
  const refreshExpiresIn = Math.floor(secondsBetween(at, expiresAt));
  return {
    kind: 'granted',
    clientId,
    ...tokens,
    expiresIn: ACCESS_TOKEN_SECONDS,
    refreshExpiresIn,
    scopes,
  };
};

export const secondsBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 1000;

/** The requested scopes, separated by spaces; undefined if one of them is not allowed. */
export const narrowed = (
  has: readonly Scope[],
  asked: string | undefined,
): readonly Scope[] | undefined => {
  if (asked === undefined || asked.trim() === '') return has;
  const names = asked.trim().split(/ +/);
  return names.every((name) => has.some((scope) => scope === name))
    ? has.filter((scope) => names.includes(scope))
    : undefined;
};
