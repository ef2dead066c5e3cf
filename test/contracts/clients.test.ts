import { expect } from 'chai';
import type { Instant } from '#domain';
import type { AuditLog } from '../../application/audit/audit-log.ts';
import type { ClientQuery } from '../../application/identity/clients.ts';
import { client, entry } from '../support/identity.ts';
import { overEveryStore, within } from '../support/stores.ts';

const entryOf = (clientId: string) => entry({ subject: `api-client/${clientId}` });

overEveryStore('the clients', (store) => {
  const entriesOf = async (auditLog: AuditLog, clientId: string) =>
    (await auditLog.list({ subject: `api-client/${clientId}`, limit: 100 })).length;

  it('are an empty list until one is added', async () => {
    expect(await store().clients.isEmpty()).to.equal(true);
    expect(await store().clients.list({ limit: 10 })).to.deep.equal([]);
    expect(await store().clients.add(client('first'), entryOf('first'))).to.equal('added');
    expect(await store().clients.isEmpty()).to.equal(false);
  });

  it('are found unchanged once they are added, and are undefined before', async () => {
    expect(await store().clients.find('second')).to.equal(undefined);
    expect(await store().clients.load('second')).to.equal(undefined);
    const administrator = client('second', {
      channelLink: null,
      scopes: ['admin'],
      status: 'inactive',
      secrets: [
        { hash: 'a', createdAt: '2026-11-20T15:00:00.000Z' as Instant, expiresAt: null },
        {
          hash: 'b',
          createdAt: '2026-10-20T15:00:00.000Z' as Instant,
          expiresAt: '2026-11-21T15:00:00.000Z' as Instant,
        },
      ],
      generation: 7,
    });
    await store().clients.add(administrator, entryOf('second'));
    expect(await store().clients.find('second')).to.deep.equal(administrator);
    expect(await store().clients.load('second')).to.deep.equal({
      client: administrator,
      lastUsedAt: null,
    });
  });

  it('are added once by many simultaneous requests, with one audit entry', async () => {
    const tries = Array.from({ length: 20 }, (_, index) =>
      store().clients.add(client('third', { name: `try ${index}` }), entryOf('third')),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === 'added')).to.have.length(1);
    expect(await store().clients.find('third')).to.include({
      name: `try ${outcomes.indexOf('added')}`,
    });
    expect(await entriesOf(store().auditLog, 'third')).to.equal(1);
  });

  it('are saved by one of many simultaneous changes, with one audit entry', async () => {
    await store().clients.add(client('fourth'), entryOf('fourth'));
    const changes = Array.from({ length: 20 }, (_, index) =>
      client('fourth', { status: 'inactive', generation: index + 1 }),
    );
    const outcomes = await Promise.all(
      changes.map((each) => store().clients.save(each, entryOf('fourth'))),
    );
    expect(outcomes.filter((outcome) => outcome === 'saved')).to.have.length(1);
    const expected = { status: 'inactive', generation: outcomes.indexOf('saved') + 1, version: 2 };
    expect(await store().clients.find('fourth')).to.include(expected);
    expect((await store().clients.load('fourth'))?.client).to.include(expected);
    expect(await entriesOf(store().auditLog, 'fourth')).to.equal(2);
    expect(await store().clients.save(client('nobody'), entryOf('nobody'))).to.equal('stale');
    expect(await entriesOf(store().auditLog, 'nobody')).to.equal(0);
  });

  it('are found by many simultaneous lookups', async () => {
    const found = await Promise.all(
      Array.from({ length: 50 }, () => store().clients.find('first')),
    );
    expect(new Set(found.map((each) => each?.clientId))).to.deep.equal(new Set(['first']));
  });

  it('are listed in the order of creation, by status and page', async () => {
    for (const [index, id] of ['z', 'y', 'x', 'w'].entries()) {
      const createdAt = `2026-12-0${index + 1}T00:00:00.000Z` as Instant;
      const status = index === 2 ? 'revoked' : 'active';
      await store().clients.add(client(id, { createdAt, status }), entryOf(id));
    }
    const ids = async (query: Partial<ClientQuery>, limit = 100) =>
      (await store().clients.list({ ...query, limit })).map((record) => record.client.clientId);
    expect((await ids({})).slice(-4)).to.deep.equal(['z', 'y', 'x', 'w']);
    expect(await ids({ after: 'z' }, 2)).to.deep.equal(['y', 'x']);
    expect(await ids({ after: 'z', status: 'active' })).to.deep.equal(['y', 'w']);
    expect(await ids({ status: 'revoked' })).to.deep.equal(['x']);
    await store().clients.add(
      client('of-shop', { channelLink: 'listed-shop' }),
      entryOf('of-shop'),
    );
    expect(await ids({ channelLink: 'listed-shop' })).to.deep.equal(['of-shop']);
    expect(await ids({ channelLink: 'listed-shop', status: 'revoked' })).to.deep.equal([]);
    expect(await ids({ after: 'w' })).to.deep.equal([]);
    expect(await ids({ after: 'nobody' })).to.deep.equal([]);
  });

  it('store the time of their last use, to the minute', async () => {
    const { clients } = store();
    const used = (instant: string) => clients.noteUse('first', instant as Instant);
    const lastUse = async () => (await clients.load('first'))?.lastUsedAt;
    used('2026-11-20T15:00:00.000Z');
    expect(await within(lastUse, (at) => at !== null)).to.equal('2026-11-20T15:00:00.000Z');
    used('2026-11-20T15:00:59.000Z');
    used('2026-11-20T15:01:00.000Z');
    expect(await within(lastUse, (at) => at !== '2026-11-20T15:00:00.000Z')).to.equal(
      '2026-11-20T15:01:00.000Z',
    );
  });
});
