import {
  createCipheriv,
  createDecipheriv,
  createHash,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';

const ALGORITHM = 'aes-256-gcm';
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const SEALED = /^1\.([0-9a-f]{16})\.([\w-]+)$/;

/** Names a key in sealed texts. The key cannot be calculated from it. */
const idOfKey = (key: KeyObject): string =>
  createHash('sha256')
    .update('id of a secrets key\0')
    .update(key.export())
    .digest('hex')
    .slice(0, 16);

/**
 * Seals with AES-256-GCM: `1.key.content`, where 1 is the version of the form, `key` the id of the
 * key, and `content` a random nonce, the tag and the encrypted secret, in base64url. The id of the
 * endpoint is authenticated with it.
 */
export class AesSecretSeal implements SecretSeal {
  readonly #current: { readonly id: string; readonly key: KeyObject };
  readonly #keys: ReadonlyMap<string, KeyObject>;

  /** @param previous keys with which secrets are still opened */
  constructor(current: KeyObject, previous: readonly KeyObject[]) {
    this.#current = { id: idOfKey(current), key: current };
    this.#keys = new Map([...previous, current].map((key) => [idOfKey(key), key]));
  }

  makeSecret(): string {
    return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
  }

  seal(secret: string, endpointId: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#current.key, nonce);
    cipher.setAAD(Buffer.from(endpointId));
    const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    const content = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    return `1.${this.#current.id}.${content}`;
  }

  open(sealed: string, endpointId: string): string | undefined {
    const [, keyId = '', content = ''] = SEALED.exec(sealed) ?? [];
    const key = this.#keys.get(keyId);
    const bytes = Buffer.from(content, 'base64url');
    if (key === undefined || bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;

    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(endpointId));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    try {
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
