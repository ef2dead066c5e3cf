/**
 * Signs evidence, so that everyone can check who made it and that it was not altered.
 *
 * 1. `sign` returns a compact JWS (RFC 7515). Its payload is the content, with issuer and time.
 * 2. The key that signs is among the published keys before `sign` resolves, and stays there.
 * 3. No evidence is accepted as an access token.
 * 4. `digest` is the SHA-256 of the bytes, in 64 lower-case hexadecimal digits.
 */
export interface EvidenceSeal {
  sign(content: object): Promise<string>;
  digest(bytes: Uint8Array): string;
}
