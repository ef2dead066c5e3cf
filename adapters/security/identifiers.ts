import { ulid } from 'ulid';
import type { Identifiers } from '../../application/identifiers.ts';
import { randomBytes } from './randomness.ts';

/** ULIDs: 80 random bits behind a time stamp, so that an index on them grows at one end. */
export class UlidIdentifiers implements Identifiers {
  next(): string {
    // Sixteen characters of five bits each, one from each byte.
    const bytes = randomBytes(16).values();
    return ulid(undefined, () => (bytes.next().value ?? 0) / 256);
  }
}
