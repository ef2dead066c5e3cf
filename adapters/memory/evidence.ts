import { createHash } from 'node:crypto';
import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../application/audit/audit-log.ts';
import type { Clock } from '../../application/clock.ts';
import type { EvidenceKeys, PublishedKey } from '../../application/evidence/evidence-keys.ts';
import type { EvidenceSeal } from '../../application/evidence/evidence-seal.ts';

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

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Evidence in the form of a JWS, without a real signature. */
export class MemoryEvidenceSeal implements EvidenceSeal {
  readonly #keys: EvidenceKeys;
  readonly #clock: Clock;

  constructor(keys: EvidenceKeys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  async sign(content: object): Promise<string> {
    const now = this.#clock.now();
    await this.#keys.keep({ keyId: 'memory', jwk: { kid: 'memory' } }, now);
    const header = { alg: 'ES256', typ: 'sale-evidence+jwt', kid: 'memory' };
    const iat = Math.floor(Date.parse(now) / 1_000);
    const payload = { iss: 'https://issuer', iat, ...content };
    return [header, payload, {}].map(encode).join('.');
  }

  digest(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
  }
}
