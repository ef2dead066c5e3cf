import type { Instant } from '#domain';

/**
 * Unique identifiers. One identifier does not help to guess another.
 *
 * 1. No identifier is generated twice.
 * 2. An identifier tells when it was generated. Any other text tells nothing.
 */
export interface Identifiers {
  next(): string;
  /** When the identifier was generated, by the clock of its process; undefined for another text. */
  timeOf(identifier: string): Instant | undefined;
}
