import { createHash, type JsonWebKey, type KeyObject } from 'node:crypto';

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
