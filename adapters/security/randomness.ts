import { randomFillSync } from 'node:crypto';
import { decodeTime, ulid } from 'ulid';
import { type Instant, instantOf } from '#domain';
import type { Identifiers } from '../../application/identifiers.ts';

/** A pool of random bytes: to ask the system for a few bytes each time would be slow. */
const pool = Buffer.alloc(4_096);
let unusedBytes = 0;

/** Takes 1 to 4,096 random bytes from the pool. No byte is given twice. */
export const takeRandomBytes = (count: number): Buffer => {
  if (unusedBytes < count) unusedBytes = randomFillSync(pool).length;
  const taken = pool.subarray(unusedBytes - count, unusedBytes);
  const bytes = Buffer.from(taken);
  taken.fill(0);
  unusedBytes -= count;
  return bytes;
};

/** 48 bits of time and 80 random bits, in Crockford's base 32. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** ULIDs: a time stamp, then 80 random bits. New ids go to the end of an index. */
export class UlidIdentifiers implements Identifiers {
  next(): string {
    // The random part has 16 characters of 5 bits. Each character uses one byte.
    const bytes = takeRandomBytes(16).values();
    return ulid(undefined, () => (bytes.next().value ?? 0) / 256);
  }

  timeOf(identifier: string): Instant | undefined {
    return ULID.test(identifier) ? instantOf(new Date(decodeTime(identifier))) : undefined;
  }
}
