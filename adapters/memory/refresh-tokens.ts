import type { Instant } from '#domain';
import type { RefreshTokens, Rotation, RotationOutcome, TokenFamily } from '../../application/identity/refresh-tokens.ts';

interface StoredToken {
  readonly familyId: string;
  readonly rotated?: { readonly at: Instant; readonly sealedSuccessor: string };
}

export class MemoryRefreshTokens implements RefreshTokens {
  readonly #families = new Map<string, TokenFamily & { readonly revokedAt?: Instant }>();
  readonly #tokens = new Map<string, StoredToken>();

  async start(family: TokenFamily, firstHash: string): Promise<void> {
    this.#families.set(family.familyId, structuredClone(family));
    this.#tokens.set(firstHash, { familyId: family.familyId });
  }

  async rotate({ hash, successorHash, sealedSuccessor, at }: Rotation): Promise<RotationOutcome> {
    const token = this.#tokens.get(hash);
    const family = token && this.#families.get(token.familyId);
    if (!token || !family || family.revokedAt !== undefined || family.expiresAt <= at) return { kind: 'not_valid' };
    const { revokedAt: _, ...shown } = structuredClone(family);
    if (token.rotated) {
      const { at: rotatedAt, sealedSuccessor: sealed } = token.rotated;
      return { kind: 'already_rotated', family: shown, rotatedAt, sealedSuccessor: sealed };
    }
    this.#tokens.set(hash, { ...token, rotated: { at, sealedSuccessor } });
    this.#tokens.set(successorHash, { familyId: token.familyId });
    return { kind: 'rotated', family: shown };
  }

  async revokeFamily(familyId: string, at: Instant): Promise<void> {
    const family = this.#families.get(familyId);
    if (family) this.#families.set(familyId, { ...family, revokedAt: at });
  }
}
