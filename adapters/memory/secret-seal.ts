import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';

/** Keeps what it seals. */
export class MemorySecretSeal implements SecretSeal {
  readonly #sealed = new Map<string, { readonly secret: string; readonly endpointId: string }>();
  #secrets = 0;

  makeSecret(): string {
    this.#secrets += 1;
    const bytes = Buffer.alloc(32);
    bytes.writeUInt32BE(this.#secrets);
    return `whsec_${bytes.toString('base64')}`;
  }

  seal(secret: string, endpointId: string): string {
    const sealed = `sealed-${this.#sealed.size + 1}`;
    this.#sealed.set(sealed, { secret, endpointId });
    return sealed;
  }

  open(sealed: string, endpointId: string): string | undefined {
    const kept = this.#sealed.get(sealed);
    return kept?.endpointId === endpointId ? kept.secret : undefined;
  }
}
