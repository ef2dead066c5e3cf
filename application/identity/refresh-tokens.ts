import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Scope } from './clients.ts';

/** The refresh tokens of one login. All end together: when it is revoked, or expires. */
export interface TokenFamily {
  readonly familyId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The client's generation at login. */
  readonly generation: number;
  readonly expiresAt: Instant;
}

/** Tokens are stored as hashes; the successor is encrypted with the token it replaces. */
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
  /** Unknown, or of an ended family. */
  | { readonly kind: 'not_valid' };

/** A token of a family that has not ended. */
export interface FoundToken {
  readonly family: TokenFamily;
  /** Whether it has a successor. */
  readonly rotated: boolean;
}

/**
 * Refresh tokens: each can be rotated once.
 *
 * 1. The first token of a family rotates, and so does each successor.
 * 2. Of several rotations of one token exactly one wins; the others get its time and encrypted
 *    successor.
 * 3. Unknown tokens, and tokens of a revoked or expired family, are not valid. `find` does not
 *    rotate.
 * 4. A family ends once, together with its audit entry; ending it again changes nothing. Every
 *    process knows within a second, from memory, for as long as an access token of the family may
 *    live. `hasEnded` answers at once if its copy is fresh.
 * 5. Families that ended before a day are deleted completely.
 */
export interface RefreshTokens {
  start(family: TokenFamily, firstHash: string): Promise<void>;
  rotate(rotation: Rotation): Promise<RotationOutcome>;
  find(hash: string, at: Instant): Promise<FoundToken | undefined>;
  revokeFamily(familyId: string, entry: AuditEntry): Promise<void>;
  hasEnded(familyId: string): boolean | Promise<boolean>;
  forget(endedBefore: Instant): Promise<void>;
}
