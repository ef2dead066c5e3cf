import type { Secrets } from '../../application/identity/secrets.ts';

/** Predictable secrets and a readable "hash": for tests of use-cases, where waiting for real ones proves nothing. */
export class MemorySecrets implements Secrets {
  #count = 0;

  generate(): string {
    this.#count += 1;
    return `secret-${this.#count}`;
  }

  hash(secret: string): string {
    return `hash of ${secret}`;
  }

  matches(secret: string, hashes: readonly string[]): boolean {
    return hashes.includes(this.hash(secret));
  }

  seal(text: string, secret: string): string {
    return JSON.stringify({ text, hash: this.hash(secret) });
  }

  open(sealed: string, secret: string): string | undefined {
    const { text, hash } = JSON.parse(sealed) as { text: string; hash: string };
    return this.hash(secret) === hash ? text : undefined;
  }
}
