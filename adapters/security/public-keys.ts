import { createHash, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';
import { Unavailable } from '../../application/unavailable.ts';

/** A public key as a JWK set shows it. */
export interface PublicJwk extends JsonWebKey {
  readonly kid: string;
}

/** Calculates the id of a key: its JWK thumbprint (RFC 7638). */
export const calculateThumbprint = (key: KeyObject): string => {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
};

/** Describes a public P-256 key that checks signatures (RFC 7517). */
export const toJwk = (key: KeyObject): PublicJwk => ({
  ...key.export({ format: 'jwk' }),
  kid: calculateThumbprint(key),
  alg: 'ES256',
  use: 'sig',
});

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
  /** Undefined until they have been read once. */
  #keptKeys: readonly object[] | undefined;
  #reading: Promise<void> | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(tokenKeys: readonly PublicJwk[], evidenceKeys: EvidenceKeys, refreshMs = REFRESH_MS) {
    this.#tokenKeys = tokenKeys;
    this.#evidenceKeys = evidenceKeys;
    this.#refreshMs = refreshMs;
  }

  /**
   * While the store is out of reach, the kept keys are those that were read last.
   *
   * @throws Unavailable if they have never been read: an incomplete set would be cached by those
   *   who check evidence
   */
  async keySet(): Promise<KeySet> {
    if (performance.now() - this.#readAt >= this.#refreshMs) {
      this.#reading ??= this.#readKeptKeys();
      await this.#reading;
    }
    if (this.#keptKeys === undefined) throw new Unavailable('the kept keys were not read yet');
    return { keys: [...this.#tokenKeys, ...this.#keptKeys] };
  }

  async #readKeptKeys(): Promise<void> {
    const own = new Set(this.#tokenKeys.map(({ kid }) => kid));
    try {
      const kept = await this.#evidenceKeys.list();
      this.#keptKeys = kept.filter(({ keyId }) => !own.has(keyId)).map(({ jwk }) => jwk);
    } catch {
      // The next answer after the refresh time asks the store again.
    } finally {
      if (this.#keptKeys !== undefined) this.#readAt = performance.now();
      this.#reading = undefined;
    }
  }
}
