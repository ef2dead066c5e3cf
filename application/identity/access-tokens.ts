import type { Scope } from './clients.ts';

export interface AccessClaims {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The login it was issued for: the family of its refresh tokens. */
  readonly loginId: string;
  /** The client's generation at login. */
  readonly generation: number;
}

/** The claims of a verified token. */
export interface VerifiedToken extends AccessClaims {
  readonly tokenId: string;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** Lifetime of an access token, in seconds. */
export const ACCESS_TOKEN_SECONDS = 30 * 60;

/**
 * Short-lived proofs that a client has authenticated.
 *
 * 1. An issued token verifies to its claims for `ACCESS_TOKEN_SECONDS`.
 * 2. Any other token verifies to undefined: altered, expired, not yet valid, from another issuer or
 *    key, or not a token.
 * 3. A token that has verified is known until it expires: verifying it again checks no signature.
 */
export interface AccessTokens {
  issue(claims: AccessClaims): string;
  verify(token: string): VerifiedToken | undefined;
}
