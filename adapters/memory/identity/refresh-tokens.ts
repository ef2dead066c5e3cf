import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type {
  FoundToken,
  RefreshTokens,
  Rotation,
  RotationOutcome,
  TokenFamily,
} from '../../../application/identity/refresh-tokens.ts';

interface StoredToken {
  readonly familyId: string;
  readonly rotated?: { readonly at: Instant; readonly sealedSuccessor: string };
}

export class MemoryRefreshTokens implements RefreshTokens {
  readonly #auditLog: AuditLog;
  readonly #families = new Map<string, TokenFamily>();
  readonly #ended = new Set<string>();
  readonly #tokens = new Map<string, StoredToken>();

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async start(family: TokenFamily, firstHash: string): Promise<void> {
    this.#families.set(family.familyId, structuredClone(family));
    this.#tokens.set(firstHash, { familyId: family.familyId });
  }

  async rotate({ hash, successorHash, sealedSuccessor, at }: Rotation): Promise<RotationOutcome> {
    const found = this.#findValid(hash, at);
    if (found === undefined) return { kind: 'not_valid' };
    const { token, family } = found;
    if (token.rotated) {
      const { at: rotatedAt, sealedSuccessor: sealed } = token.rotated;
      return { kind: 'already_rotated', family, rotatedAt, sealedSuccessor: sealed };
    }
    this.#tokens.set(hash, { ...token, rotated: { at, sealedSuccessor } });
    this.#tokens.set(successorHash, { familyId: token.familyId });
    return { kind: 'rotated', family };
  }

  async find(hash: string, at: Instant): Promise<FoundToken | undefined> {
    const found = this.#findValid(hash, at);
    return found && { family: found.family, rotated: found.token.rotated !== undefined };
  }

  async revokeFamily(familyId: string, entry: AuditEntry): Promise<void> {
    if (!this.#families.has(familyId) || this.#ended.has(familyId)) return;
    this.#ended.add(familyId);
    await this.#auditLog.append(entry);
  }

  hasEnded(familyId: string): boolean {
    return this.#ended.has(familyId);
  }

  async forget(endedBefore: Instant): Promise<void> {
    for (const [familyId, { expiresAt }] of this.#families)
      if (expiresAt < endedBefore) this.#families.delete(familyId);
    for (const [hash, { familyId }] of this.#tokens)
      if (!this.#families.has(familyId)) this.#tokens.delete(hash);
  }

  #findValid(
    hash: string,
    at: Instant,
  ): { readonly token: StoredToken; readonly family: TokenFamily } | undefined {
    const token = this.#tokens.get(hash);
    const family = token && this.#families.get(token.familyId);
    const isValid =
      family !== undefined && !this.#ended.has(family.familyId) && at < family.expiresAt;
    return token && isValid ? { token, family: structuredClone(family) } : undefined;
  }
}
