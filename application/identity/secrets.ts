/**
 * Secrets of 256 random bits.
 *
 * 1. No two generated secrets are equal.
 * 2. A secret matches its own hash and no other; the comparison takes the same time either way.
 * 3. What is sealed with a secret opens with that secret only, and cannot be altered.
 */
export interface Secrets {
  generate(): string;
  hash(secret: string): string;
  matches(secret: string, hash: string): boolean;
  seal(text: string, secret: string): string;
  /** Undefined when `secret` is not the one it was sealed with. */
  open(sealed: string, secret: string): string | undefined;
}
