import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../application/clock.ts';
import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  type AccessTokens,
  type VerifiedToken,
} from '../../application/identity/access-tokens.ts';
import { SCOPES } from '../../application/identity/clients.ts';
import { calculateThumbprint, type PublicJwk, toJwk } from './public-keys.ts';

export interface TokenSigning {
  /** The P-256 private key that signs. */
  readonly signingKey: KeyObject;
  /** Public keys of earlier signing keys, whose tokens are still accepted. */
  readonly previousKeys: readonly KeyObject[];
  /** Claim `iss`. */
  readonly issuer: string;
  /** Claim `aud`: the API that accepts the tokens. */
  readonly audience: string;
}

/** Max seconds by which the clock of another process may be ahead of ours. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** Max number of verified tokens in the cache. */
const MAX_CACHED_TOKENS = 20_000;

/** Access tokens by RFC 9068: JWTs of type `at+jwt`, signed with ES256 only. */
export class JwtAccessTokens implements AccessTokens {
  readonly #signing: TokenSigning;
  readonly #clock: Clock;
  readonly #header: jwt.JwtHeader;
  readonly #publicKeys: ReadonlyMap<string, KeyObject>;
  /** Verified tokens by their text. A signature stays valid, so only the expiry is rechecked. */
  readonly #verified = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS });

  /** The last instant that was converted: requests of one millisecond ask many times. */
  #last = { now: '', seconds: Number.NaN };

  constructor(signing: TokenSigning, clock: Clock) {
    this.#signing = signing;
    this.#clock = clock;
    const kid = calculateThumbprint(createPublicKey(signing.signingKey));
    this.#header = { alg: 'ES256', typ: 'at+jwt', kid };
    const publicKeys = [createPublicKey(signing.signingKey), ...signing.previousKeys];
    this.#publicKeys = new Map(publicKeys.map((key) => [calculateThumbprint(key), key]));
  }

  /** The public keys (RFC 7517). The key that signs now comes first. */
  publicKeys(): readonly PublicJwk[] {
    return [...this.#publicKeys.values()].map(toJwk);
  }

  issue({ clientId, scopes, loginId, generation }: AccessClaims): string {
    const { issuer, audience, signingKey } = this.#signing;
    const iat = this.#seconds();
    const claims = {
      iss: issuer,
      aud: audience,
      sub: clientId,
      client_id: clientId,
      scope: scopes.join(' '),
      sid: loginId,
      gen: generation,
      jti: randomUUID(),
      iat,
      exp: iat + ACCESS_TOKEN_SECONDS,
    };
    return jwt.sign(claims, signingKey, { algorithm: 'ES256', header: this.#header });
  }

  verify(token: string): VerifiedToken | undefined {
    const recalled = this.#recall(token);
    if (recalled !== undefined) return recalled;
    const verified = this.#verify(token);
    if (verified !== undefined) this.#verified.set(token, verified);
    return verified;
  }

  #recall(token: string): VerifiedToken | undefined {
    const verified = this.#verified.get(token);
    if (verified === undefined || this.#seconds() < verified.expiresAt) return verified;
    this.#verified.delete(token);
    return undefined;
  }

  #verify(token: string): VerifiedToken | undefined {
    try {
      const header = jwt.decode(token, { complete: true })?.header;
      const key = header?.kid === undefined ? undefined : this.#publicKeys.get(header.kid);
      // `crit` names extensions that a verifier must support. We support none (RFC 7515, 4.1.11).
      if (key === undefined || header?.typ !== 'at+jwt' || header.crit !== undefined)
        return undefined;
      const { issuer, audience } = this.#signing;
      const now = this.#seconds();
      const options = { algorithms: ['ES256' as const], issuer, audience, clockTimestamp: now };
      const verified = readClaims(jwt.verify(token, key, options));
      if (verified === undefined) return undefined;
      return verified.issuedAt <= now + MAX_CLOCK_SKEW_SECONDS ? verified : undefined;
    } catch {
      return undefined;
    }
  }

  #seconds(): number {
    const now = this.#clock.now();
    if (now !== this.#last.now) this.#last = { now, seconds: Math.floor(Date.parse(now) / 1000) };
    return this.#last.seconds;
  }
}

const readClaims = (payload: unknown): VerifiedToken | undefined => {
  const claims = payload as Readonly<Record<string, unknown>>;
  const {
    client_id: clientId,
    scope,
    sid: loginId,
    gen: generation,
    jti: tokenId,
    iat: issuedAt,
    exp: expiresAt,
  } = claims;
  const texts = [clientId, scope, loginId, tokenId].every((each) => typeof each === 'string');
  const numbers = [generation, issuedAt, expiresAt].every((each) => typeof each === 'number');
  if (!texts || !numbers) return undefined;
  const named = (scope as string).split(' ');
  const scopes = SCOPES.filter((each) => named.includes(each));
  return { clientId, scopes, loginId, generation, tokenId, issuedAt, expiresAt } as VerifiedToken;
};
