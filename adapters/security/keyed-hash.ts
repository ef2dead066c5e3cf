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
