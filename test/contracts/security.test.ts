import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import {
  MemoryAccessTokens,
  MemoryIdentifiers,
  MemorySecrets,
} from '../../adapters/memory/security.ts';
import { CryptoSecrets } from '../../adapters/security/crypto-secrets.ts';
import { JwtAccessTokens } from '../../adapters/security/jwt-access-tokens.ts';
import { loadOrCreateSigningKey } from '../../adapters/security/service-keys.ts';
import { SystemClock, UlidIdentifiers } from '../../adapters/system/clock-and-identifiers.ts';
import type { Clock } from '../../application/clock.ts';
import type { AccessTokens } from '../../application/identity/access-tokens.ts';
import { temporaryFolder } from '../support/children.ts';

for (const [name, secrets] of [
  ['memory', new MemorySecrets()],
  ['node:crypto', new CryptoSecrets()],
] as const) {
  describe(`secrets, on ${name}`, () => {
    it('are never the same twice', () => {
      expect(new Set(Array.from({ length: 1_000 }, () => secrets.generate())).size).to.equal(1_000);
    });

    it('match their own hash and no other', () => {
      const [mine, theirs] = [secrets.generate(), secrets.generate()];
      const hashes = [secrets.hash(secrets.generate()), secrets.hash(mine)];
      expect(secrets.matches(mine, hashes)).to.equal(true);
      expect(secrets.matches(theirs, hashes)).to.equal(false);
      expect(secrets.matches(mine, [''])).to.equal(false);
      expect(secrets.matches(mine, [])).to.equal(false);
    });

    it('open only a text that was sealed with the same secret', () => {
      const [key, other] = [secrets.generate(), secrets.generate()];
      const sealed = secrets.seal('a successor', key);
      expect(secrets.open(sealed, key)).to.equal('a successor');
      expect(secrets.open(sealed, other)).to.equal(undefined);
    });
  });
}

describe('secrets, on node:crypto', () => {
  const secrets = new CryptoSecrets();

  it('have 256 bits', () => {
    expect(Buffer.from(secrets.generate(), 'base64url')).to.have.length(32);
  });

  it('refuse an altered or malformed seal', () => {
    const key = secrets.generate();
    const sealed = Buffer.from(secrets.seal('a successor', key), 'base64url');
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered.writeUInt8(sealed.readUInt8(index) ^ 1, index);
      expect(secrets.open(altered.toString('base64url'), key)).to.equal(undefined);
    }
    expect(secrets.open('', key)).to.equal(undefined);
  });

  it('do not reveal the sealed text, and do not open it with the hash of the key', () => {
    const key = secrets.generate();
    const sealed = Buffer.from(secrets.seal('a successor', key), 'base64url');
    expect(sealed.includes('successor')).to.equal(false);
    expect(secrets.open(sealed.toString('base64url'), secrets.hash(key))).to.equal(undefined);
  });
});

for (const [name, identifiers] of [
  ['memory', new MemoryIdentifiers(new SystemClock())],
  ['ULID', new UlidIdentifiers()],
] as const) {
  it(`identifiers, on ${name}, are never the same twice`, () => {
    expect(new Set(Array.from({ length: 1_000 }, () => identifiers.next())).size).to.equal(1_000);
  });

  it(`identifiers, on ${name}, tell when they were generated`, () => {
    const before = Date.now();
    const at = Date.parse(identifiers.timeOf(identifiers.next()) ?? '');
    expect(at).to.be.within(before, Date.now());
    for (const other of ['', 'order-7', '01m7zr84hsm7'.repeat(2), '8'.repeat(26), 'I'.repeat(26)])
      expect(identifiers.timeOf(other), other).to.equal(undefined);
  });
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signed = (clock: Clock): AccessTokens =>
  new JwtAccessTokens(
    {
      signingKey: privateKey,
      previousKeys: [],
      issuer: 'https://issuer',
      audience: 'https://issuer/api',
    },
    clock,
  );

const LOGIN = { loginId: 'login-1', generation: 2 };

for (const [name, make] of [
  ['memory', (clock: Clock) => new MemoryAccessTokens(clock)],
  ['JWT', signed],
] as const) {
  describe(`access tokens, on ${name}`, () => {
    it('return the claims of their issue for thirty minutes', async () => {
      const clock = new MemoryClock('2026-11-20T15:00:00.000Z');
      const tokens = make(clock);
      const token = tokens.issue({ clientId: 'client-1', scopes: ['sales', 'admin'], ...LOGIN });
      const issuedAt = Date.parse('2026-11-20T15:00:00.000Z') / 1000;
      const { tokenId, ...rest } = tokens.verify(token) ?? {};
      expect(tokenId).to.be.a('string');
      const claims = { clientId: 'client-1', scopes: ['sales', 'admin'], ...LOGIN };
      expect(rest).to.deep.equal({ ...claims, issuedAt, expiresAt: issuedAt + 1_800 });
      clock.advance(30 * 60 - 1);
      expect(tokens.verify(token)).to.deep.include({ clientId: 'client-1' });
      clock.advance(1);
      expect(tokens.verify(token)).to.equal(undefined);
    });

    it('are never the same twice', async () => {
      const tokens = make(new MemoryClock('2026-11-20T15:00:00.000Z'));
      const claims = { clientId: 'client-1', scopes: ['sales'] as const, ...LOGIN };
      expect(tokens.issue(claims)).not.to.equal(tokens.issue(claims));
    });

    it('are refused when they are malformed or unknown', async () => {
      const tokens = make(new MemoryClock('2026-11-20T15:00:00.000Z'));
      const elsewhere = make(new MemoryClock('2026-11-20T15:00:00.000Z'));
      for (const wrong of [
        '',
        'x',
        'a.b.c',
        'null',
        `${tokens.issue({ clientId: 'c', scopes: [], ...LOGIN })}x`,
      ]) {
        expect(tokens.verify(wrong)).to.equal(undefined);
      }
      elsewhere.issue({ clientId: 'somebody else', scopes: ['admin'], ...LOGIN });
      if (name === 'memory')
        expect(elsewhere.verify(tokens.issue({ clientId: 'c', scopes: [], ...LOGIN }))).to.equal(
          undefined,
        );
    });
  });
}

describe('access tokens, on JWT', () => {
  const clock = new MemoryClock('2026-11-20T15:00:00.000Z');
  const claims = { clientId: 'client-1', scopes: ['sales'] as const, ...LOGIN };
  const signing = {
    signingKey: privateKey,
    previousKeys: [],
    issuer: 'https://issuer',
    audience: 'https://issuer/api',
  };
  const ours = new JwtAccessTokens(signing, clock);

  it('are refused from another issuer, for another API, or signed with another key', async () => {
    const { privateKey: foreignKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const other of [
      { issuer: 'https://other' },
      { audience: 'https://issuer/other' },
      { signingKey: foreignKey },
    ]) {
      const token = new JwtAccessTokens({ ...signing, ...other }, clock).issue(claims);
      expect(ours.verify(token), JSON.stringify(other)).to.equal(undefined);
    }
    expect(ours.verify(new JwtAccessTokens(signing, clock).issue(claims))).to.deep.include(claims);
  });

  it('must be of the type at+jwt, and have a client, scope and expiry', async () => {
    const { header, payload } = jwt.decode(ours.issue(claims), { complete: true }) as jwt.Jwt;
    const sign = (body: object, head: object): string =>
      jwt.sign(body, privateKey, {
        algorithm: 'ES256',
        header: { ...header, ...head } as jwt.JwtHeader,
      });
    expect(ours.verify(sign(payload as object, {}))).to.deep.include(claims);
    for (const typ of ['JWT', 'jwt', undefined])
      expect(ours.verify(sign(payload as object, { typ }))).to.equal(undefined);
    for (const missing of ['client_id', 'scope', 'exp', 'iat', 'jti', 'sid', 'gen']) {
      const { [missing]: _, ...rest } = payload as Record<string, unknown>;
      expect(ours.verify(sign(rest, {})), missing).to.equal(undefined);
    }
  });

  it('are accepted when signed with an earlier key whose public key is configured', async () => {
    const earlier = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const token = new JwtAccessTokens({ ...signing, signingKey: earlier.privateKey }, clock).issue(
      claims,
    );
    expect(
      new JwtAccessTokens({ ...signing, previousKeys: [earlier.publicKey] }, clock).verify(token),
    ).to.deep.include(claims);
    expect(ours.verify(token)).to.equal(undefined);
  });
});

describe('the signing key kept in a folder', () => {
  const folder = temporaryFolder();

  it('is created once by processes that start together, as the only file', async () => {
    const make = `import { loadOrCreateSigningKey } from ${JSON.stringify(new URL('../../adapters/security/service-keys.ts', import.meta.url).href)};
      process.stdout.write(loadOrCreateSigningKey(${JSON.stringify(folder)}).export({ format: 'jwk' }).x);`;
    const run = promisify(execFile);
    const keys = await Promise.all(
      Array.from({ length: 6 }, () =>
        run(process.execPath, ['--input-type=module', '--eval', make]),
      ),
    );
    expect(new Set(keys.map(({ stdout }) => stdout)).size).to.equal(1);
    expect(loadOrCreateSigningKey(folder).export({ format: 'jwk' }).x).to.equal(keys[0]?.stdout);
    expect(readdirSync(folder)).to.deep.equal(['signing-key.pem']);
  });

  it('is named in the error if its file is damaged', () => {
    const damaged = temporaryFolder();
    writeFileSync(join(damaged, 'signing-key.pem'), 'garbage');
    expect(() => loadOrCreateSigningKey(damaged)).to.throw(
      /signing-key\.pem does not hold an ES256 private key/,
    );
  });

  it('is a new key at each start if no folder is configured', () => {
    expect(loadOrCreateSigningKey(undefined).equals(loadOrCreateSigningKey(undefined))).to.equal(
      false,
    );
  });
});
