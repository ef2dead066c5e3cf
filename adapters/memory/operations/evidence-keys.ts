import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type { EvidenceKeys, PublishedKey } from '../../../application/evidence/evidence-keys.ts';

export class MemoryEvidenceKeys implements EvidenceKeys {
  readonly #kept = new Map<string, { readonly key: PublishedKey; readonly at: Instant }>();
  readonly #withdrawn = new Set<string>();
  readonly #auditLog: AuditLog;

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async keep(key: PublishedKey, at: Instant): Promise<'kept' | 'withdrawn'> {
    if (!this.#kept.has(key.keyId)) this.#kept.set(key.keyId, structuredClone({ key, at }));
    return this.#withdrawn.has(key.keyId) ? 'withdrawn' : 'kept';
  }

  async list(): Promise<readonly PublishedKey[]> {
    const listed = [...this.#kept.values()].filter(({ key }) => !this.#withdrawn.has(key.keyId));
    const inOrder = listed.sort(({ at: one }, { at: other }) =>
      one < other ? -1 : Number(one > other),
    );
    return structuredClone(inOrder.map(({ key }) => key));
  }

  async withdraw(keyId: string, entry: AuditEntry): Promise<'withdrawn' | 'not_listed'> {
    if (!this.#kept.has(keyId) || this.#withdrawn.has(keyId)) return 'not_listed';
    this.#withdrawn.add(keyId);
    await this.#auditLog.append(entry);
    return 'withdrawn';
  }
}
