/**
 * Secrets of 256 random bits.
 *
 * 1. No two generated secrets are equal.
 * 2. A secret matches its own hash and no other. It is compared with every hash given, and the time tells nothing.
 * 3. What is sealed with a secret opens with that secret only, and cannot be altered.
 */
export interface Secrets {
  generate(): string;
  hash(secret: string): string;
  /** Whether it is the secret of one of these hashes. */
  matches(secret: string, hashes: readonly string[]): boolean;
  seal(text: string, secret: string): string;
  /** Undefined when `secret` is not the one it was sealed with. */
  open(sealed: string, secret: string): string | undefined;
}
