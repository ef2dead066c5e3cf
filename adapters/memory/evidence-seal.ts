import { createHash } from 'node:crypto';
import type { Clock } from '../../application/clock.ts';
import type { EvidenceSeal } from '../../application/evidence/collect-evidence.ts';
import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';

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
