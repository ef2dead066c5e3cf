import type { Scope } from './clients.ts';

export interface AccessClaims {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The login that it descends from: the family of its refresh tokens. */
  readonly loginId: string;
  /** The client's generation at the login. */
  readonly generation: number;
}

/** What a token says that has been verified. */
export interface VerifiedToken extends AccessClaims {
  readonly tokenId: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** How long an access token lives, in seconds. */
export const ACCESS_TOKEN_LIFETIME = 30 * 60;

/**
 * Short-lived proofs that a client has authenticated.
 *
 * 1. An issued token verifies to what it was issued for, until `ACCESS_TOKEN_LIFETIME` has passed.
 * 2. Anything else verifies to undefined: altered, expired, not valid yet, from another issuer or key, or no token at all.
 */
export interface AccessTokens {
  issue(claims: AccessClaims): string;
  verify(token: string): VerifiedToken | undefined;
}
