import type { Instant } from '#domain';
import type { Scope } from './clients.ts';

/** All the refresh tokens that descend from one login. They end together: when it is revoked, or its time is up. */
export interface TokenFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Instant;
}

/** Tokens are known by their hashes. The successor is kept sealed with the token it replaces. */
export interface Rotation {
  readonly hash: string;
  readonly successorHash: string;
  readonly sealedSuccessor: string;
  readonly at: Instant;
}

export type RotationOutcome =
  | { readonly kind: 'rotated'; readonly family: TokenFamily }
  | {
      readonly kind: 'already_rotated';
      readonly family: TokenFamily;
      readonly rotatedAt: Instant;
      readonly sealedSuccessor: string;
    }
  /** Unknown, or of a family that has ended. */
  | { readonly kind: 'not_valid' };

/**
 * Refresh tokens: each is good for one rotation.
 *
 * 1. The first token of a started family rotates, and so does each successor.
 * 2. Of many rotations of one token exactly one wins; the others get what the winner left: when, and the sealed successor.
 * 3. An unknown token is not valid, nor is any token of a family that is revoked or past its time.
 */
export interface RefreshTokens {
  start(family: TokenFamily, firstHash: string): Promise<void>;
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  revokeFamily(familyId: string, at: Instant): Promise<void>;
}
