import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';
import type { PublicJwk } from './public-keys.ts';

/** A JWK set (RFC 7517). */
export interface KeySet {
  readonly keys: readonly object[];
}

/** The kept keys are read again after this time: this answer has no rate limit. */
const REFRESH_MS = 10_000;

/** The keys of access tokens, and those that have signed evidence, each once. */
export class PublishedKeySet {
  readonly #tokenKeys: readonly PublicJwk[];
  readonly #evidenceKeys: EvidenceKeys;
  readonly #refreshMs: number;
  #keptKeys: readonly object[] = [];
  #readAt: number | undefined;

  constructor(tokenKeys: readonly PublicJwk[], evidenceKeys: EvidenceKeys, refreshMs = REFRESH_MS) {
    this.#tokenKeys = tokenKeys;
    this.#evidenceKeys = evidenceKeys;
    this.#refreshMs = refreshMs;
  }

  /** While the store is out of reach, the kept keys are those that were read last. */
  async keySet(): Promise<KeySet> {
    const now = performance.now();
    if (this.#readAt === undefined || now - this.#readAt >= this.#refreshMs) {
      this.#readAt = now;
      await this.#readKeptKeys();
    }
    return { keys: [...this.#tokenKeys, ...this.#keptKeys] };
  }

  async #readKeptKeys(): Promise<void> {
    const own = new Set(this.#tokenKeys.map(({ kid }) => kid));
    try {
      const kept = await this.#evidenceKeys.list();
      this.#keptKeys = kept.filter(({ keyId }) => !own.has(keyId)).map(({ jwk }) => jwk);
    } catch {
      this.#readAt = undefined;
    }
  }
}
