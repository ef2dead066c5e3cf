import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Bytes as they are sent, plain and compressed. */
export interface Sent {
  readonly type: string;
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
  /** The first digits of the content's SHA-256. */
  readonly hash: string;
}

const HASH_LENGTH = 12;

const compress = promisify(gzip);

/** Compresses bytes, outside the thread that answers requests, and names their content. */
export const prepareSent = async (type: string, plain: Uint8Array): Promise<Sent> => ({
  type,
  plain,
  gzipped: await compress(plain),
  hash: createHash('sha256').update(plain).digest('hex').slice(0, HASH_LENGTH),
});
