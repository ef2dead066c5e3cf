import { expect } from 'chai';
import { PublishedKeySet } from '../../adapters/security/public-keys.ts';
import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { expectError } from '../support/expected-error.ts';

const own = { kid: 'new' } as never;
const earlier = { keyId: 'old', jwk: { kid: 'old' } };

/** A store whose answers the test gives. */
const storeOf = (list: EvidenceKeys['list']): EvidenceKeys => ({ list }) as EvidenceKeys;

describe('the published key set', () => {
  it('has the kept keys for all who ask first at the same time', async () => {
    let reads = 0;
    const keys = new PublishedKeySet(
      [own],
      storeOf(async () => {
        reads += 1;
        await new Promise((resolve) => setImmediate(resolve));
        return [earlier];
      }),
    );
    const found = await Promise.all([keys.keySet(), keys.keySet(), keys.keySet()]);
    for (const each of found)
      expect(each).to.deep.equal({ keys: [{ kid: 'new' }, { kid: 'old' }] });
    await keys.keySet();
    expect(reads).to.equal(1);
  });

  it('is not given as long as the kept keys could not be read', async () => {
    let isDown = true;
    const keys = new PublishedKeySet(
      [own],
      storeOf(async () => {
        if (isDown) throw new Unavailable('down');
        return [earlier];
      }),
      0,
    );
    expect(await expectError(keys.keySet())).to.be.instanceOf(Unavailable);
    isDown = false;
    expect((await keys.keySet()).keys).to.have.length(2);
    isDown = true;
    expect((await keys.keySet()).keys, 'those that were read last').to.have.length(2);
  });
});
