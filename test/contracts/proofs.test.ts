import { expect } from 'chai';
import type { Instant } from '#domain';
import { MemoryPassphrases } from '../../adapters/memory/passphrases.ts';
import { Argon2Passphrases } from '../../adapters/security/argon2-passphrases.ts';
import { TotpCodes } from '../../adapters/security/totp-codes.ts';
import { later } from '../../application/clock.ts';
import { AT } from '../support/identity.ts';
import { codeOf, PASSPHRASE } from '../support/people.ts';

for (const [name, passphrases] of [
  ['memory', new MemoryPassphrases()],
  ['argon2id', new Argon2Passphrases()],
] as const) {
  describe(`passphrases, on ${name}`, () => {
    it('match their own hash only, and have a new one each time', async () => {
      const [one, other] = [await passphrases.hash(PASSPHRASE), await passphrases.hash(PASSPHRASE)];
      expect(one).not.to.equal(other);
      for (const hash of [one, other])
        expect(await passphrases.matches(PASSPHRASE, hash)).to.equal(true);
      for (const wrong of ['', `${PASSPHRASE} `, PASSPHRASE.toUpperCase()])
        expect(await passphrases.matches(wrong, one), wrong).to.equal(false);
    });

    it('may be empty, and match nothing then', async () => {
      expect(await passphrases.matches('', await passphrases.hash(PASSPHRASE))).to.equal(false);
      expect(await passphrases.matches('', passphrases.unknown)).to.equal(false);
    });

    it('never match the hash of none', async () => {
      for (const each of ['', PASSPHRASE, passphrases.unknown])
        expect(await passphrases.matches(each, passphrases.unknown)).to.equal(false);
    });
  });
}

describe('passphrases, on argon2id', () => {
  const passphrases = new Argon2Passphrases();

  it('cost 19 MiB twice, for one that nobody has, too', async () => {
    for (const hash of [await passphrases.hash(PASSPHRASE), passphrases.unknown])
      expect(hash).to.match(/^argon2id\$19456\$2\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('are the same however a keyboard writes their letters', async () => {
    const hash = await passphrases.hash('três tigres tristes');
    expect(await passphrases.matches('tre\u0302s tigres tristes', hash)).to.equal(true);
  });

  it('are compared with hashes of another cost, and with no other text', async () => {
    const cheap = 'argon2id$64$1$c29tZXNhbHQxMjM0NTY3OA$AAAA';
    for (const hash of ['', 'argon2id', cheap, `scrypt$1$1$a$${'A'.repeat(43)}`])
      expect(await passphrases.matches(PASSPHRASE, hash).catch(() => 'threw'), hash).to.equal(
        false,
      );
  });
});

describe('one-time codes', () => {
  const codes = new TotpCodes();
  const secret = codes.makeSecret();
  const step = Math.floor(Date.parse(AT) / 30_000);

  it('are those of RFC 6238', () => {
    // Appendix B has eight digits; the last six are these.
    const known = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    for (const [seconds, code] of [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [20_000_000_000, '353130'],
    ] as const) {
      const at = new Date(seconds * 1_000).toISOString() as Instant;
      expect(codes.stepOf(known, code, at)).to.equal(Math.floor(seconds / 30));
    }
  });

  it('have new secrets of 160 bits, which an app reads from an address', () => {
    expect(secret)
      .to.match(/^[A-Z2-7]{32}$/)
      .and.not.to.equal(codes.makeSecret());
    const uri = new URL(codes.uriOf(secret, 'ana@example.com'));
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).to.deep.equal([
      ...['otpauth:', 'totp', secret],
    ]);
    expect(decodeURIComponent(uri.pathname)).to.equal('/Seguros:ana@example.com');
  });

  it('are taken one step before and after their time', () => {
    for (const [ms, expected] of [
      [-60_000, undefined],
      [-30_000, step - 1],
      [0, step],
      [30_000, step + 1],
      [60_000, undefined],
    ] as const) {
      const code = codeOf(secret, later(AT, ms));
      expect(codes.stepOf(secret, code, AT), `${ms}`).to.equal(expected);
    }
  });

  it('are of one secret, and six digits', () => {
    const code = codeOf(secret, AT);
    expect(codes.stepOf(codes.makeSecret(), code, AT)).to.equal(undefined);
    for (const wrong of ['', code.slice(1), `${code}0`, 'abcdef', `+${code.slice(1)}`])
      expect(codes.stepOf(secret, wrong, AT), wrong).to.equal(undefined);
    for (const none of ['', 'GEZDGNBV', secret.toLowerCase(), `${secret}A`])
      expect(codes.stepOf(none, code, AT), none).to.equal(undefined);
  });
});
