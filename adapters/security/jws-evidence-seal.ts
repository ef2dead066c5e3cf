import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { JsonObject } from '#domain';
import type { Clock } from '../../application/clock.ts';
import type { EvidenceSeal } from '../../application/evidence/collect-evidence.ts';
import type { EvidenceKeys, PublishedKey } from '../../application/evidence/evidence-keys.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { toJwk } from './public-keys.ts';

/** Tells evidence from other things that the same key signs (RFC 8725, section 3.11). */
const EVIDENCE_TYPE = 'sale-evidence+jwt';

export interface EvidenceSigning {
  /** The P-256 private key that signs. */
  readonly signingKey: KeyObject;
  /** Claim `iss`. */
  readonly issuer: string;
  readonly keys: EvidenceKeys;
  readonly clock: Clock;
}

/** Evidence as a JWT of its own type, signed with ES256. It does not expire. */
export class JwsEvidenceSeal implements EvidenceSeal {
  readonly #signing: EvidenceSigning;
  readonly #key: PublishedKey;
  /** Keeps the public key once in the life of the process. */
  #kept: ReturnType<EvidenceKeys['keep']> | undefined;

  constructor(signing: EvidenceSigning) {
    this.#signing = signing;
    const jwk = toJwk(createPublicKey(signing.signingKey));
    this.#key = { keyId: jwk.kid, jwk: jwk as JsonObject };
  }

  async sign(content: object): Promise<string> {
    const { signingKey, issuer, clock } = this.#signing;
    await this.#keepKey();
    const iat = Math.floor(Date.parse(clock.now()) / 1_000);
    const payload = { iss: issuer, iat, ...content };
    const header = { alg: 'ES256', typ: EVIDENCE_TYPE, kid: this.#key.keyId };
    return jwt.sign(payload, signingKey, { algorithm: 'ES256', header });
  }

  digest(bytes: Uint8Array): string {
    return createHash('sha256').update(bytes).digest('hex');
  }

  async #keepKey(): Promise<void> {
    const { keys, clock } = this.#signing;
    this.#kept ??= keys.keep(this.#key, clock.now());
    try {
      if ((await this.#kept) === 'withdrawn')
        throw new Unavailable('the signing key was withdrawn: its evidence could not be checked');
    } catch (error) {
      this.#kept = undefined;
      throw error;
    }
  }
}
