import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';

const bytesOf = (key: KeyObject): Buffer =>
  key.type === 'secret' ? key.export() : key.export({ type: 'pkcs8', format: 'der' });

/**
 * Derives a secret for one purpose from a key (HKDF, RFC 5869). All processes with the same key
 * derive the same secret. The secret does not reveal the key.
 */
export const deriveSecret = (purpose: string, key: KeyObject): string =>
  Buffer.from(hkdfSync('sha256', bytesOf(key), '', purpose, 32)).toString('base64url');

/**
 * Creates a hash for texts that must not be stored, such as card numbers. Without the secret, the
 * text cannot be guessed from its hash.
 */
export const createKeyedHash = (secret: string): ((text: string) => string) =>
  function hashWithKey(text) {
    return createHmac('sha256', secret).update(text).digest('base64url');
  };

/**
 * Creates the keyed hash under which personal data are found: 64 bits, as PostgreSQL's `bigint`.
 *
 * @param previous keys whose hashes are looked for, too, until the index is filled anew
 * @returns for each text its hash by the present key, then those by the previous ones
 */
export const createTerms = (
  key: KeyObject,
  previous: readonly KeyObject[],
): ((text: string) => readonly [string, ...string[]]) => {
  const hashBy = (each: KeyObject) => {
    const hash = createKeyedHash(deriveSecret('search', each));
    return (text: string): string =>
      Buffer.from(hash(text), 'base64url').readBigInt64BE().toString();
  };
  const present = hashBy(key);
  const earlier = previous.map(hashBy);
  return (text) => [present(text), ...earlier.map((hash) => hash(text))];
};
