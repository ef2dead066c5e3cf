import { type Argon2Algorithm, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Passphrases } from '../../application/people/proofs.ts';

const ALGORITHM: Argon2Algorithm = 'argon2id';

/** The least that OWASP recommends: 19 MiB, twice over it, in one lane. Memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derive = promisify(argon2);

/** `argon2id$memory$passes$salt$hash`: the cost may rise while older hashes are still compared. */
const FORM = /^argon2id\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/;

/** Hashes with argon2id (RFC 9106), outside the thread that answers requests. */
export class Argon2Passphrases implements Passphrases {
  /** Made of random bytes like any other. */
  readonly unknown: string = textOf(COST, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

  async hash(passphrase: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    return textOf(COST, salt, await deriveFrom(passphrase, salt, COST));
  }

  async matches(passphrase: string, hash: string): Promise<boolean> {
    const [, memory, passes, salt, expected] = FORM.exec(hash) ?? [];
    if (salt === undefined || expected === undefined) return false;
    const cost = { ...COST, memory: Number(memory), passes: Number(passes) };
    const given = await deriveFrom(passphrase, Buffer.from(salt, 'base64url'), cost);
    const known = Buffer.from(expected, 'base64url');
    return known.length === given.length && timingSafeEqual(given, known);
  }
}

const deriveFrom = async (passphrase: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> =>
  // Keyboards write one letter in several ways.
  derive(ALGORITHM, {
    message: passphrase.normalize('NFC'),
    nonce,
    tagLength: HASH_BYTES,
    ...cost,
  });

const textOf = ({ memory, passes }: typeof COST, salt: Buffer, hash: Buffer): string =>
  ['argon2id', memory, passes, salt.toString('base64url'), hash.toString('base64url')].join('$');
