import { expect } from 'chai';
import type { Instant } from '#domain';
import type { ApiClient } from '../../application/identity/clients.ts';
import { overEveryStore } from '../support/stores.ts';

const client = (clientId: string, over: Partial<ApiClient> = {}): ApiClient => ({
  clientId,
  name: 'Bilheteria São João',
  channelLink: 'canal-demo',
  scopes: ['sales'],
  status: 'active',
  secretHashes: ['abc'],
  createdAt: '2026-11-20T15:00:00.123Z' as Instant,
  ...over,
});

overEveryStore('the clients', (store) => {
  it('are none at first, and no longer when one is added', async () => {
    expect(await store().clients.isEmpty()).to.equal(true);
    expect(await store().clients.add(client('first'))).to.equal('added');
    expect(await store().clients.isEmpty()).to.equal(false);
  });

  it('are found again whole; an unknown one is undefined, and found as soon as it is added', async () => {
    expect(await store().clients.find('second')).to.equal(undefined);
    const administrator = client('second', {
      channelLink: null,
      scopes: ['admin'],
      status: 'inactive',
      secretHashes: ['a', 'b'],
    });
    await store().clients.add(administrator);
    expect(await store().clients.find('second')).to.deep.equal(administrator);
  });

  it('are added once, however many try', async () => {
    const tries = Array.from({ length: 20 }, (_, index) => store().clients.add(client('third', { name: `try ${index}` })));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(1);
    expect(await store().clients.find('third')).to.include({ name: `try ${outcomes.indexOf('added')}` });
  });

  it('are found many at once', async () => {
    const found = await Promise.all(Array.from({ length: 50 }, () => store().clients.find('first')));
    expect(new Set(found.map((each) => each?.clientId))).to.deep.equal(new Set(['first']));
  });
});
