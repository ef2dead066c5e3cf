import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Instant } from '#domain';
import type { PublishedKey } from '../../application/evidence/evidence-keys.ts';
import { entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const at = (time: string): Instant => `2026-11-20T${time}.000Z` as Instant;

const newKey = (): PublishedKey => {
  const keyId = randomUUID();
  return { keyId, jwk: { kid: keyId, kty: 'EC', crv: 'P-256', x: 'abc', y: 'déf' } };
};

overEveryStore('the keys that signed evidence', (store) => {
  const listed = async (...keys: readonly PublishedKey[]) => {
    const ids = new Set(keys.map(({ keyId }) => keyId));
    return (await store().evidenceKeys.list()).filter(({ keyId }) => ids.has(keyId));
  };

  it('are listed once, also if several processes keep them at the same time', async () => {
    const key = newKey();
    await Promise.all([1, 2, 3, 4].map(() => store().evidenceKeys.keep(key, at('12:00:00'))));
    await store().evidenceKeys.keep(key, at('13:00:00'));
    expect(await listed(key)).to.deep.equal([key]);
  });

  it('are listed by the time at which they were kept first', async () => {
    const [first, second, third] = [newKey(), newKey(), newKey()];
    await store().evidenceKeys.keep(third, at('12:00:03'));
    await store().evidenceKeys.keep(first, at('12:00:01'));
    await store().evidenceKeys.keep(second, at('12:00:02'));
    await store().evidenceKeys.keep(first, at('12:00:09'));
    expect(await listed(first, second, third)).to.deep.equal([first, second, third]);
  });

  it('are not listed after they were withdrawn, also if they are kept again', async () => {
    const [key, other] = [newKey(), newKey()];
    for (const each of [key, other]) await store().evidenceKeys.keep(each, at('12:00:00'));
    const subject = `key/${key.keyId}`;
    const withdraw = () =>
      store().evidenceKeys.withdraw(key.keyId, entry({ action: 'key.withdrawn', subject }));
    const outcomes = await Promise.all([withdraw(), withdraw(), withdraw()]);
    expect(outcomes.sort()).to.deep.equal(['not_listed', 'not_listed', 'withdrawn']);
    expect(await store().evidenceKeys.keep(key, at('14:00:00'))).to.equal('withdrawn');
    expect(await store().evidenceKeys.keep(other, at('14:00:00'))).to.equal('kept');
    expect(await listed(key, other)).to.deep.equal([other]);
    expect(await store().auditLog.list({ subject, limit: 9 })).to.have.length(1);
    const unknown = await store().evidenceKeys.withdraw('none', entry({ subject: 'key/none' }));
    expect(unknown).to.equal('not_listed');
    expect(await store().auditLog.list({ subject: 'key/none', limit: 9 })).to.deep.equal([]);
  });
});
