import { createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';
import { decrypt, encrypt } from './aes-gcm.ts';

const SECRET_BYTES = 32;

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
 * key, and `content` the encrypted secret, bound to the id of the endpoint.
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
    return `1.${this.#current.id}.${encrypt(this.#current.key, secret, endpointId)}`;
  }

  open(sealed: string, endpointId: string): string | undefined {
    const [, keyId = '', content = ''] = SEALED.exec(sealed) ?? [];
    const key = this.#keys.get(keyId);
    return key && decrypt(key, content, endpointId);
  }
}
