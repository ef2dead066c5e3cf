import { randomFillSync } from 'node:crypto';

/** Asked for by the thousand: a few at a time, random bytes cost more than all else that makes a secret or an identifier. */
const pool = Buffer.alloc(4_096);
let unused = 0;

/** So many bytes (4,096 at most) that nobody has been given before, and nobody will be again. */
export const randomBytes = (count: number): Buffer => {
  if (unused < count) unused = randomFillSync(pool).length;
  const taken = pool.subarray(unused - count, unused);
  const bytes = Buffer.from(taken);
  taken.fill(0);
  unused -= count;
  return bytes;
};
