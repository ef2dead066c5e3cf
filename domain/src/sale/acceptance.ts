import type { Instant } from '../values/calendar.ts';

/** How the customer accepted the terms of the insurance, as the channel recorded it. */
export interface Acceptance {
  readonly acceptedAt: Instant;
  /** The channel's name for the text that was accepted. */
  readonly termsVersion: string;
  /** SHA-256, SHA-384 or SHA-512 of that text, in hexadecimal digits. */
  readonly termsHash: string;
  /** The customer's IPv4 or IPv6 address; absent if the customer accepted at a counter. */
  readonly ipAddress?: string;
  /** The customer's browser or app, by its own account. */
  readonly userAgent?: string;
}
