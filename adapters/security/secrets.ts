import { createCipheriv, createDecipheriv, createHash, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../application/identity/secrets.ts';
import { randomBytes } from './randomness.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** SHA-256 in hexadecimal. A plain hash is enough: a secret of 256 random bits cannot be tried out. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The key is derived from the secret under another name than its stored hash, which must not open anything. */
const keyFrom = (secret: string): Buffer => sha256(`seal:${secret}`);

export class CryptoSecrets implements Secrets {
  generate(): string {
    return randomBytes(32).toString('base64url');
  }

  hash(secret: string): string {
    return sha256(secret).toString('hex');
  }

  matches(secret: string, hashes: readonly string[]): boolean {
    const given = sha256(secret);
    const matching = hashes.filter((hash) => {
      const expected = Buffer.from(hash, 'hex');
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return matching.length > 0;
  }

  seal(text: string, secret: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', keyFrom(secret), iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  open(sealed: string, secret: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFrom(secret),
        bytes.subarray(0, IV_BYTES),
        {
          authTagLength: TAG_BYTES,
        },
      );
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') +
        decipher.final('utf8')
      );
    } catch {
      return undefined;
    }
  }
}
