import {
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { Secrets } from '../../application/identity/secrets.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A fast hash is enough: a secret of 256 random bits cannot be guessed. */
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Derives the key of `seal`. The prefix makes it differ from the stored hash of the secret. */
const deriveKey = (secret: string): Buffer => sha256(`seal:${secret}`);

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
    const cipher = createCipheriv('aes-256-gcm', deriveKey(secret), iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  open(sealed: string, secret: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv(
        'aes-256-gcm',
        deriveKey(secret),
        bytes.subarray(0, IV_BYTES),
        { authTagLength: TAG_BYTES },
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
