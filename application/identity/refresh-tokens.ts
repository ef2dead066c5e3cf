import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Scope } from './clients.ts';

/** All the refresh tokens that descend from one login. They end together: when it is revoked, or its time is up. */
export interface TokenFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The client's generation at the login. */
  readonly generation: number;
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

/** A token of a family that has not ended. */
export interface FoundToken {
  readonly family: TokenFamily;
  /** Whether it has a successor. */
  readonly rotated: boolean;
}

/**
 * Refresh tokens: each is good for one rotation.
 *
 * 1. The first token of a started family rotates, and so does each successor.
 * 2. Of many rotations of one token exactly one wins; the others get what the winner left: when, and the sealed successor.
 * 3. An unknown token is not valid, nor is any token of a family that is revoked or past its time. `find` does not rotate.
 * 4. A family ends once, together with its audit entry; ending it again changes nothing. Every process knows within a
 *    second, without asking the store, and at least for as long as an access token of the family may live.
 * 5. Families that ended before a day are forgotten, whole.
 */
export interface RefreshTokens {
  start(family: TokenFamily, firstHash: string): Promise<void>;
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  find(hash: string, at: Instant): Promise<FoundToken | undefined>;
  revokeFamily(familyId: string, entry: AuditEntry): Promise<void>;
  hasEnded(familyId: string): Promise<boolean>;
  forget(endedBefore: Instant): Promise<void>;
}
