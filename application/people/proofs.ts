import type { Instant } from '#domain';

/**
 * Hashes of passphrases.
 *
 * 1. A passphrase matches its own hash only. Two hashes of one passphrase differ.
 * 2. `unknown` is the hash of no passphrase; to compare with it takes as long as with any other.
 */
export interface Passphrases {
  readonly unknown: string;
  hash(passphrase: string): Promise<string>;
  matches(passphrase: string, hash: string): Promise<boolean>;
}

/**
 * Codes of six digits that an app shows for 30 s each (TOTP, RFC 6238).
 *
 * 1. A code is that of its secret alone, and of a step: the number of its 30 s since 1970.
 * 2. The codes of the step before and after the time are taken, too: clocks differ.
 */
export interface OneTimeCodes {
  /** A new secret in base32. */
  makeSecret(): string;
  /** What an app reads from a QR code. @param label who signs in where */
  uriOf(secret: string, label: string): string;
  /** The step of a code; undefined if it is wrong, too old or too new, or the secret is none. */
  stepOf(secret: string, code: string, at: Instant): number | undefined;
}
