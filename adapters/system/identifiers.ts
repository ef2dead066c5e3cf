import { ulid } from 'ulid';
import type { Identifiers } from '../../application/identifiers.ts';

/** ULIDs: 80 random bits behind a time stamp, so that an index on them grows at one end. */
export class UlidIdentifiers implements Identifiers {
  next(): string {
    return ulid();
  }
}
