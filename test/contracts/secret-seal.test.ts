import { execFile } from 'node:child_process';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { MemorySecretSeal } from '../../adapters/memory/secret-seal.ts';
import { loadOrCreateSecretsKey } from '../../adapters/security/service-keys.ts';
import { AesSecretSeal } from '../../adapters/security/webhook-secret-seal.ts';
import type { SecretSeal } from '../../application/webhooks/webhook-sender.ts';
import { temporaryFolder } from '../support/children.ts';

const newKey = (): KeyObject => createSecretKey(randomBytes(32));

const SEALS: Readonly<Record<string, () => SecretSeal>> = {
  memory: () => new MemorySecretSeal(),
  'AES-256-GCM': () => new AesSecretSeal(newKey(), []),
};

for (const [name, make] of Object.entries(SEALS)) {
  describe(`the seal of webhook secrets, on ${name}`, () => {
    const seal = make();

    it('makes secrets as Standard Webhooks wants them, each another', () => {
      const secrets = Array.from({ length: 500 }, () => seal.makeSecret());
      expect(new Set(secrets).size).to.equal(500);
      for (const secret of secrets) {
        expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
        expect(Buffer.from(secret.slice(6), 'base64')).to.have.length(32);
      }
    });

    it('opens what it sealed, for the endpoint it was sealed for', () => {
      const secret = seal.makeSecret();
      const sealed = seal.seal(secret, 'whe_1');
      expect(seal.open(sealed, 'whe_1')).to.equal(secret);
      expect(seal.open(sealed, 'whe_2')).to.equal(undefined);
    });

    it('does not show the secret in the sealed text, which differs each time', () => {
      const secret = seal.makeSecret();
      const sealed = [seal.seal(secret, 'whe_1'), seal.seal(secret, 'whe_1')];
      expect(sealed[0]).not.to.equal(sealed[1]);
      const bytes = Buffer.from(secret.slice(6), 'base64');
      for (const text of sealed)
        for (const form of [secret, bytes.toString('hex'), bytes.toString('base64url')])
          expect(text).not.to.include(form);
    });

    it('does not open a text that it did not seal', () => {
      for (const text of [
        '',
        'whsec_abc',
        '1.0123456789abcdef.',
        '1..',
        `1.${'a'.repeat(16)}.AAAA`,
      ])
        expect(seal.open(text, 'whe_1'), text).to.equal(undefined);
    });
  });
}

describe('the seal of webhook secrets, on AES-256-GCM', () => {
  const [first, second] = [newKey(), newKey()];

  it('opens what an earlier key sealed while that key is known, and seals with the new one', () => {
    const secret = new AesSecretSeal(first, []).makeSecret();
    const sealed = new AesSecretSeal(first, []).seal(secret, 'whe_1');
    const changed = new AesSecretSeal(second, [newKey(), first]);
    expect(changed.open(sealed, 'whe_1')).to.equal(secret);
    const again = changed.seal(secret, 'whe_1');
    expect(new AesSecretSeal(second, []).open(again, 'whe_1')).to.equal(secret);
    expect(new AesSecretSeal(first, []).open(again, 'whe_1')).to.equal(undefined);
    expect(new AesSecretSeal(second, []).open(sealed, 'whe_1')).to.equal(undefined);
  });

  it('opens no text with one altered, added or missing character', () => {
    const seal = new AesSecretSeal(first, [second]);
    const sealed = seal.seal(seal.makeSecret(), 'whe_1');
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === 'A' ? 'B' : 'A';
      const altered = sealed.slice(0, index) + other + sealed.slice(index + 1);
      expect(seal.open(altered, 'whe_1'), `character ${index}`).to.equal(undefined);
      const shorter = sealed.slice(0, index) + sealed.slice(index + 1);
      expect(seal.open(shorter, 'whe_1'), `without character ${index}`).to.equal(undefined);
    }
    expect(seal.open(`${sealed}AAAA`, 'whe_1')).to.equal(undefined);
    for (let length = 0; length < sealed.length; length += 1)
      expect(seal.open(sealed.slice(0, length), 'whe_1'), `${length}`).to.equal(undefined);
  });

  it('does not open a text under the name of another key', () => {
    const one = new AesSecretSeal(first, [second]);
    const other = new AesSecretSeal(second, [first]);
    const secret = one.makeSecret();
    const [mine, theirs] = [one.seal(secret, 'whe_1'), other.seal(secret, 'whe_1')];
    const swapped = mine.replace(mine.split('.')[1] as string, theirs.split('.')[1] as string);
    expect(one.open(swapped, 'whe_1')).to.equal(undefined);
  });
});

describe('the key of stored secrets, kept in a folder', () => {
  const folder = temporaryFolder();

  it('is created once by processes that start together, for its owner only', async () => {
    const module = new URL('../../adapters/security/service-keys.ts', import.meta.url).href;
    const make = `import { loadOrCreateSecretsKey } from ${JSON.stringify(module)};
      process.stdout.write(loadOrCreateSecretsKey(${JSON.stringify(folder)}).export().toString('hex'));`;
    const keys = await Promise.all(
      Array.from({ length: 4 }, () =>
        promisify(execFile)(process.execPath, ['--input-type=module', '--eval', make]),
      ),
    );
    expect(new Set(keys.map(({ stdout }) => stdout)).size).to.equal(1);
    expect(keys[0]?.stdout).to.match(/^[0-9a-f]{64}$/);
    expect(loadOrCreateSecretsKey(folder).export().toString('hex')).to.equal(keys[0]?.stdout);
    expect(readdirSync(folder)).to.deep.equal(['secrets-key']);
    expect(statSync(join(folder, 'secrets-key')).mode & 0o777).to.equal(0o600);
  });

  it('is named in the error if its file is damaged', () => {
    const damaged = temporaryFolder();
    writeFileSync(join(damaged, 'secrets-key'), 'garbage');
    expect(() => loadOrCreateSecretsKey(damaged)).to.throw(
      /secrets-key does not hold 32 bytes in base64/,
    );
  });

  it('is a new key at each start if no folder is configured', () => {
    expect(loadOrCreateSecretsKey(undefined).equals(loadOrCreateSecretsKey(undefined))).to.equal(
      false,
    );
  });
});
