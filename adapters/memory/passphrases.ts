import type { Passphrases } from '../../application/people/proofs.ts';

let hashes = 0;

/** Readable "hashes", for tests of use-cases. */
export class MemoryPassphrases implements Passphrases {
  readonly unknown = 'hash of nothing';

  async hash(passphrase: string): Promise<string> {
    hashes += 1;
    return `hash ${hashes} of ${passphrase}`;
  }

  async matches(passphrase: string, hash: string): Promise<boolean> {
    return /^hash \d+ of (.*)$/s.exec(hash)?.[1] === passphrase;
  }
}
