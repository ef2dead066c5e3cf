import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JWK, jwtVerify } from 'jose';
import jwt from 'jsonwebtoken';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryEvidenceSeal } from '../../adapters/memory/evidence-seal.ts';
import { MemoryAuditLog } from '../../adapters/memory/operations/audit-log.ts';
import { MemoryEvidenceKeys } from '../../adapters/memory/operations/evidence-keys.ts';
import { MemoryAccessTokens } from '../../adapters/memory/security.ts';
import { JwsEvidenceSeal } from '../../adapters/security/jws-evidence-seal.ts';
import { JwtAccessTokens } from '../../adapters/security/jwt-access-tokens.ts';
import { PublishedKeySet, toJwk } from '../../adapters/security/public-keys.ts';
import type { EvidenceSeal } from '../../application/evidence/collect-evidence.ts';
import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';
import type { AccessTokens } from '../../application/identity/access-tokens.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { expectError } from '../support/expected-error.ts';

const NOW = '2026-11-20T15:00:00.000Z';
const ISSUER = 'https://issuer';
const clock = new MemoryClock(NOW);

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const SIGNING = { signingKey: privateKey, issuer: ISSUER };

const jwtTokens = (signingKey = privateKey): JwtAccessTokens =>
  new JwtAccessTokens(
    { signingKey, previousKeys: [], issuer: ISSUER, audience: `${ISSUER}/api` },
    clock,
  );

interface Made {
  readonly seal: (keys: EvidenceKeys) => EvidenceSeal;
  readonly tokens: AccessTokens;
}

const MAKERS: Readonly<Record<string, Made>> = {
  memory: {
    seal: (keys) => new MemoryEvidenceSeal(keys, clock),
    tokens: new MemoryAccessTokens(clock),
  },
  JWS: { seal: (keys) => new JwsEvidenceSeal({ ...SIGNING, keys, clock }), tokens: jwtTokens() },
};

const CONTENT = { transaction_id: 7, insured: { name: 'Zoë 🎸' }, acceptance: null };

for (const [name, { seal, tokens }] of Object.entries(MAKERS)) {
  describe(`the seal of evidence, ${name}`, () => {
    const keys = new MemoryEvidenceKeys(new MemoryAuditLog());

    it('signs the content, with issuer and time and without an expiry', async () => {
      const evidence = await seal(keys).sign(CONTENT);
      expect(decodeJwt(evidence)).to.deep.equal({
        iss: ISSUER,
        iat: Date.parse(NOW) / 1_000,
        ...CONTENT,
      });
    });

    it('names its own type, and the key, which it has published by then', async () => {
      const header = decodeProtectedHeader(await seal(keys).sign(CONTENT));
      expect(header).to.include({ alg: 'ES256', typ: 'sale-evidence+jwt' });
      expect((await keys.list()).map(({ keyId }) => keyId)).to.deep.equal([header.kid]);
    });

    it('signs nothing while its key cannot be published, and tries again', async () => {
      const failing = new MemoryEvidenceKeys(new MemoryAuditLog());
      const { keep } = failing;
      const sealed = seal(failing);
      failing.keep = () => Promise.reject(new Error('out of reach'));
      const refused = await sealed.sign(CONTENT).catch(({ message }) => message);
      expect(refused).to.equal('out of reach');
      failing.keep = keep;
      expect(decodeJwt(await sealed.sign(CONTENT))).to.deep.include(CONTENT);
      expect(await failing.list()).to.have.length(1);
    });

    it('makes nothing that is accepted as an access token', async () => {
      const claims = { clientId: 'c', scopes: ['sales'], loginId: 'l', generation: 0 } as const;
      expect(tokens.verify(tokens.issue(claims))).to.deep.include(claims);
      const likeToken = {
        ...{ aud: `${ISSUER}/api`, sub: 'c', client_id: 'c', scope: 'sales', sid: 'l', gen: 0 },
        ...{ jti: '1', exp: Date.parse(NOW) / 1_000 + 60 },
      };
      for (const content of [CONTENT, likeToken])
        expect(tokens.verify(await seal(keys).sign(content))).to.equal(undefined);
    });

    it('computes SHA-256', () => {
      // NIST FIPS 180-2, appendix B.1.
      expect(seal(keys).digest(new TextEncoder().encode('abc'))).to.equal(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      );
    });
  });
}

describe('evidence as a JWS', () => {
  const keys = new MemoryEvidenceKeys(new MemoryAuditLog());
  const seal = new JwsEvidenceSeal({ ...SIGNING, keys, clock });
  const options = { issuer: ISSUER, typ: 'sale-evidence+jwt', algorithms: ['ES256'] };
  const check = async (evidence: string, published: readonly object[]) => {
    const set = createLocalJWKSet({ keys: published as JWK[] });
    return jwtVerify(evidence, set, { ...options, currentDate: new Date('2046-01-01') });
  };
  const outcomeOf = (evidence: string, published: readonly object[]) =>
    check(evidence, published).then(
      () => 'genuine',
      ({ code }) => code,
    );
  const publicKeys = [toJwk(createPublicKey(privateKey))];

  it('is checked by a stock library with the published keys alone, also after decades', async () => {
    const { payload } = await check(await seal.sign(CONTENT), publicKeys);
    expect(payload).to.deep.include(CONTENT);
  });

  it('is not genuine once a character of it was changed', async () => {
    const [header = '', payload = '', signature = ''] = (await seal.sign(CONTENT)).split('.');
    const forged = Buffer.from(payload, 'base64url').toString().replace('Zoë', 'Ana');
    const altered = [header, Buffer.from(forged).toString('base64url'), signature].join('.');
    expect(await outcomeOf(altered, publicKeys)).to.equal('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    const { privateKey: foreign } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = new JwsEvidenceSeal({ ...SIGNING, signingKey: foreign, keys, clock });
    expect(await outcomeOf(await other.sign(CONTENT), publicKeys)).to.equal(
      'ERR_JWKS_NO_MATCHING_KEY',
    );
  });

  it('cannot be an access token, which has another type', async () => {
    const claims = { clientId: 'c', scopes: ['sales'], loginId: 'l', generation: 0 } as const;
    expect(await outcomeOf(jwtTokens().issue(claims), publicKeys)).to.equal(
      'ERR_JWT_CLAIM_VALIDATION_FAILED',
    );
    const untyped = jwt.sign({ iss: ISSUER }, privateKey, {
      algorithm: 'ES256',
      keyid: publicKeys[0]?.kid ?? '',
    });
    expect(await outcomeOf(untyped, publicKeys)).to.equal('ERR_JWT_CLAIM_VALIDATION_FAILED');
  });

  it('stays genuine when the service signs with another key, until its key is withdrawn', async () => {
    const evidence = await seal.sign(CONTENT);
    const { privateKey: next } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const published = async () =>
      (await new PublishedKeySet(jwtTokens(next).publicKeys(), keys).keySet()).keys;
    expect(await outcomeOf(evidence, await published())).to.equal('genuine');
    const { kid = '' } = decodeProtectedHeader(evidence);
    await keys.withdraw(kid, { changes: [] } as never);
    expect(await outcomeOf(evidence, await published())).to.equal('ERR_JWKS_NO_MATCHING_KEY');
  });

  it('is not signed with a withdrawn key, with which it could not be checked', async () => {
    const { kid = '' } = decodeProtectedHeader(await seal.sign(CONTENT));
    await keys.withdraw(kid, { changes: [] } as never);
    const restarted = new JwsEvidenceSeal({ ...SIGNING, keys, clock });
    expect(await expectError(restarted.sign(CONTENT))).to.be.instanceOf(Unavailable);
  });
});

describe('the published keys', () => {
  it('have each key once, the signing key first, and survive an unreachable store', async () => {
    const keys = new MemoryEvidenceKeys(new MemoryAuditLog());
    const old = { keyId: 'old', jwk: { kid: 'old' } };
    await keys.keep(old, clock.now());
    await new JwsEvidenceSeal({ ...SIGNING, keys, clock }).sign(CONTENT);
    const tokenKeys = jwtTokens().publicKeys();
    const expected = [...tokenKeys, old.jwk];

    const published = new PublishedKeySet(tokenKeys, keys, 0);
    expect((await published.keySet()).keys).to.deep.equal(expected);
    const { list } = keys;
    keys.list = () => Promise.reject(new Error('out of reach'));
    expect((await published.keySet()).keys).to.deep.equal(expected);
    const unread = new PublishedKeySet(tokenKeys, keys);
    expect(await expectError(unread.keySet())).to.be.instanceOf(Unavailable);

    keys.list = list;
    const later = { keyId: 'later', jwk: { kid: 'later' } };
    await keys.keep(later, '2026-11-21T00:00:00.000Z' as never);
    expect((await published.keySet()).keys).to.deep.equal([...expected, later.jwk]);
  });
});
