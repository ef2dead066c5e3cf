import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text with AES-256-GCM: a random nonce, the tag and the encrypted text, in base64url.
 *
 * @param bound what the text belongs to; it is authenticated, not contained
 */
export const encrypt = (key: KeyObject, text: string, bound: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
};

/** The text that was encrypted with the same key and bound to the same; undefined if anything differs. */
export const decrypt = (key: KeyObject, content: string, bound: string): string | undefined => {
  const bytes = Buffer.from(content, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  // The last character has bits that decoding ignores: another one is another text.
  if (bytes.toString('base64url') !== content) return undefined;

  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};
