import { expect } from 'chai';
import type { Instant } from '#domain';
import type { ChannelGroup } from '../../application/groups/groups.ts';
import { entry } from '../support/identity.ts';
import { overEveryStore } from '../support/stores.ts';

const group = (number: number, over: Partial<ChannelGroup> = {}): ChannelGroup => ({
  ...{ number, sealedDatabase: `sealed ${number}`, isOpen: true, move: null },
  addedAt: '2026-11-20T12:00:00.000Z' as Instant,
  ...over,
});

overEveryStore('the groups of channels', (store) => {
  const groups = async () => (await store().groups.current()).groups;
  const placed = async () => Object.fromEntries((await store().groups.current()).placed);
  const saved = (subject: string) => entry({ action: 'group.saved', subject });
  const entries = async (subject: string) =>
    (await store().auditLog.list({ subject, limit: 9 })).length;

  it('are none until one is saved, and are listed by number', async () => {
    expect(await groups()).to.deep.equal([]);
    await store().groups.save(group(2), saved('group/2'));
    await store().groups.save(group(1), saved('group/1'));
    expect(await groups()).to.deep.equal([group(1), group(2)]);
    expect(await entries('group/2')).to.equal(1);
  });

  it('are found as they were saved last', async () => {
    const move = { sealedTarget: 'a third', phase: 'copying' } as const;
    const changed = group(2, { sealedDatabase: 'another', isOpen: false, move });
    const [, before] = await groups();
    expect(await store().groups.save(changed, saved('group/2'), before)).to.equal('saved');
    expect((await groups())[1]).to.deep.equal(changed);
    expect(await entries('group/2')).to.equal(2);
  });

  it('are changed only as they were read', async () => {
    const [, moving] = await groups();
    const address = group(2, {
      sealedDatabase: 'stale',
      isOpen: false,
      move: moving?.move ?? null,
    });
    const move = { sealedTarget: 'a third', phase: 'draining' } as const;
    for (const stale of [{ ...address }, group(2, { sealedDatabase: 'another', move })])
      expect(await store().groups.save(group(2), saved('group/2'), stale)).to.equal('taken');
    expect((await groups())[1]).to.deep.equal(moving);
    expect(await entries('group/2')).to.equal(2);
  });

  it('keep their number, if another is added under it meanwhile', async () => {
    const addedAt = '2026-11-21T12:00:00.000Z' as Instant;
    const other = group(1, { sealedDatabase: 'elsewhere', addedAt });
    expect(await store().groups.save(other, saved('group/1'))).to.equal('taken');
    expect((await groups())[0]).to.deep.equal(group(1));
    expect(await entries('group/1')).to.equal(1);
  });

  it('have the channels that were placed in them last; all others are in group 0', async () => {
    const place = (link: string, number: number) =>
      store().groups.place(link, number, saved(`channel/${link}`));
    expect(await placed()).to.deep.equal({});
    await place('loja-a', 1);
    await place('loja-b', 1);
    await place('loja-a', 2);
    await place('loja-b', 0);
    expect(await placed()).to.deep.equal({ 'loja-a': 2 });
    expect(await entries('channel/loja-a')).to.equal(2);
  });
});
