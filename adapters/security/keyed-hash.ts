import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';

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

const MAX_KNOWN_TERMS = 5_000;

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
    const secret = deriveSecret('search', each);
    const hash = (text: string): string =>
      createHmac('sha256', secret).update(text).digest().readBigInt64BE().toString();
    // The same names come again and again.
    const known = new LRUCache<string, string>({ max: MAX_KNOWN_TERMS, memoMethod: hash });
    return (text: string): string => known.memo(text);
  };
  const present = hashBy(key);
  const earlier = previous.map(hashBy);
  return (text) => [present(text), ...earlier.map((hash) => hash(text))];
};
