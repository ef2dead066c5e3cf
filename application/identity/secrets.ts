/**
 * Secrets of 256 random bits.
 *
 * 1. No two generated secrets are equal.
 * 2. A secret matches its own hash only. It is compared with every given hash, in constant time.
 * 3. Text sealed with a secret opens with that secret only, and cannot be altered.
 */
export interface Secrets {
  generate(): string;
  hash(secret: string): string;
  /** Whether one of the hashes is this secret's. */
  matches(secret: string, hashes: readonly string[]): boolean;
  seal(text: string, secret: string): string;
  /** Undefined if `secret` did not seal it. */
  open(sealed: string, secret: string): string | undefined;
}
