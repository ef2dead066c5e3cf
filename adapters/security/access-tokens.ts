import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Clock } from '../../application/clock.ts';
import { ACCESS_TOKEN_LIFETIME, type AccessClaims, type AccessTokens } from '../../application/identity/access-tokens.ts';
import { SCOPES } from '../../application/identity/clients.ts';

export interface TokenSigning {
  /** The P-256 private key that signs. */
  readonly signingKey: KeyObject;
  /** Public keys of earlier signing keys, still accepted. */
  readonly previousKeys: readonly KeyObject[];
  /** Who issues (`iss`), and the API that the tokens are for (`aud`). */
  readonly issuer: string;
  readonly audience: string;
}

/** Access tokens as RFC 9068 describes them: a JWT of type `at+jwt`, signed with ES256 and nothing else. */
export class JwtAccessTokens implements AccessTokens {
  readonly #signing: TokenSigning;
  readonly #clock: Clock;
  readonly #keyId: string;
  readonly #publicKeys: ReadonlyMap<string, KeyObject>;

  constructor(signing: TokenSigning, clock: Clock) {
    this.#signing = signing;
    this.#clock = clock;
    this.#keyId = thumbprint(createPublicKey(signing.signingKey));
    const publicKeys = [createPublicKey(signing.signingKey), ...signing.previousKeys];
    this.#publicKeys = new Map(publicKeys.map((key) => [thumbprint(key), key]));
  }

  issue({ clientId, scopes }: AccessClaims): string {
    const { signingKey, issuer, audience } = this.#signing;
    const iat = this.#seconds();
    const claims = {
      iss: issuer,
      aud: audience,
      sub: clientId,
      client_id: clientId,
      scope: scopes.join(' '),
      jti: randomUUID(),
      iat,
    };
    const payload = { ...claims, exp: iat + ACCESS_TOKEN_LIFETIME };
    return jwt.sign(payload, signingKey, { algorithm: 'ES256', header: { alg: 'ES256', typ: 'at+jwt', kid: this.#keyId } });
  }

  verify(token: string): AccessClaims | undefined {
    try {
      const header = jwt.decode(token, { complete: true })?.header;
      const key = header?.kid === undefined ? undefined : this.#publicKeys.get(header.kid);
      if (key === undefined || header?.typ !== 'at+jwt') return undefined;
      const { issuer, audience } = this.#signing;
      const options = { algorithms: ['ES256' as const], issuer, audience, clockTimestamp: this.#seconds() };
      return claimsOf(jwt.verify(token, key, options));
    } catch {
      return undefined;
    }
  }

  #seconds(): number {
    return Math.floor(Date.parse(this.#clock.now()) / 1000);
  }
}

const claimsOf = (payload: unknown): AccessClaims | undefined => {
  const { client_id: clientId, scope, exp } = payload as Record<string, unknown>;
  if (typeof clientId !== 'string' || typeof scope !== 'string' || typeof exp !== 'number') return undefined;
  const named = scope.split(' ');
  return { clientId, scopes: SCOPES.filter((each) => named.includes(each)) };
};

/** The key's name: its JWK thumbprint (RFC 7638). */
const thumbprint = (key: KeyObject): string => {
  const { crv, kty, x, y } = key.export({ format: 'jwk' });
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
};
