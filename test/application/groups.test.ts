import { expect } from 'chai';
import type { CalendarDate } from '#domain';
import { addressOf } from '../../application/all-groups/group-addresses.ts';
import {
  makeAddGroup,
  makePlaceChannel,
  makeResealAddresses,
} from '../../application/all-groups/manage-groups.ts';
import { makeReadTotals } from '../../application/all-groups/read-totals.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { type MemoryService, memoryService } from '../../bootstrap/composition/memory.ts';
import { DEMO_CHANNEL } from '../../bootstrap/processes/demo-catalogue.ts';
import { ADMINISTRATOR as ACTOR } from '../support/identity.ts';
import { soldIn, ticketSale, world } from '../support/selling.ts';

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error) => error);

describe('adding a group of channels', () => {
  const arrange = () => {
    const { groups, secretSeal, clock, auditLog } = memoryService();
    const prepared: (readonly [string, number])[] = [];
    const groupDatabases = {
      prepare: async (address: string, group: number) => {
        if (address === 'away') throw new Unavailable('away');
        prepared.push([address, group]);
      },
    };
    const addGroup = makeAddGroup({ groups, groupDatabases, secretSeal, clock });
    return { addGroup, groups, prepared, auditLog, secretSeal, clock };
  };

  it('numbers it, prepares its database and seals its address', async () => {
    const { addGroup, groups, prepared, auditLog, secretSeal } = arrange();
    const one = await addGroup('postgres://u:secret@one/a', ACTOR);
    const two = await addGroup('postgres://two/b', ACTOR);
    expect([one.number, two.number]).to.deep.equal([1, 2]);
    expect(JSON.stringify((await groups.current()).groups)).not.to.include('secret');
    expect(addressOf(one, secretSeal)).to.equal('postgres://u:secret@one/a');
    expect(prepared.map(([, group]) => group)).to.deep.equal([1, 2]);
    const [entry] = await auditLog.list({ subject: 'group/2', limit: 9 });
    expect(entry).to.deep.include({ action: 'group.saved', actor: ACTOR });
  });

  it('adds none under the number of one that was added meanwhile', async () => {
    const { addGroup, groups, secretSeal, clock, prepared } = arrange();
    const meanwhile = {
      number: 1,
      sealedDatabase: 'other',
      isOpen: true,
      move: null,
      addedAt: clock.now(),
    };
    const entry = { at: clock.now(), action: 'group.saved', actor: ACTOR } as never;
    const current = groups.current.bind(groups);
    const stale = { groups: [], placed: new Map() };
    Object.assign(groups, { current: () => stale });
    await groups.save(meanwhile, entry);
    clock.advance(1);
    const refused = await failure(addGroup('postgres://late/c', ACTOR));
    expect((refused as Error).message).to.include('another group 1 was added meanwhile');
    expect((await current()).groups).to.deep.equal([meanwhile]);
    expect([prepared.length, secretSeal.open('other', 'group/1')]).to.deep.equal([1, undefined]);
  });

  it('prepares a known address again, and adds nothing', async () => {
    const { addGroup, groups, prepared } = arrange();
    const one = await addGroup('postgres://one/a', ACTOR);
    expect(await addGroup('postgres://one/a', ACTOR)).to.deep.equal(one);
    expect(prepared).to.have.length(2);
    expect((await groups.current()).groups).to.have.length(1);
  });

  it('adds none whose database cannot be prepared, and says where no key opens an address', async () => {
    const { addGroup, groups, secretSeal } = arrange();
    expect(await failure(addGroup('away', ACTOR))).to.be.instanceOf(Unavailable);
    expect((await groups.current()).groups).to.deep.equal([]);
    const sealed = { number: 3, sealedDatabase: 'nonsense' } as never;
    expect(() => addressOf(sealed, secretSeal)).to.throw('no key opens the address of group 3');
  });
});

describe('sealing the addresses of groups again', () => {
  it('keeps them, and names the groups whose address no key opens', async () => {
    const { groups, secretSeal, clock, auditLog } = memoryService();
    const groupDatabases = { prepare: async () => {} };
    const addGroup = makeAddGroup({ groups, groupDatabases, secretSeal, clock });
    const { number } = await addGroup('postgres://one/a', ACTOR);
    const lost = { number: 2, sealedDatabase: 'x', isOpen: true, move: null, addedAt: clock.now() };
    const entry = { at: clock.now(), action: 'group.saved', actor: ACTOR } as never;
    await groups.save(lost, entry);
    const reseal = makeResealAddresses({ groups, secretSeal, clock });
    expect(await reseal(ACTOR)).to.deep.equal({ resealed: 1, lost: [2] });
    const [one] = (await groups.current()).groups;
    expect(one && addressOf(one, secretSeal)).to.equal('postgres://one/a');
    expect(await auditLog.list({ subject: `group/${number}`, limit: 9 })).to.have.length(2);
  });
});

describe('placing a channel in a group', () => {
  let one: MemoryService;
  let other: MemoryService;
  let paused: number;
  const place = (link: string, wanted?: number, whilePaused = async (): Promise<void> => {}) => {
    const { groups, catalogue, clock } = one;
    const groupViews = () =>
      new Map([
        [0, one],
        [1, other],
      ]);
    const timers = {
      ...one.timers,
      pause: async (ms: number) => {
        paused += ms;
        await whilePaused();
      },
    };
    return makePlaceChannel({ groups, groupViews, catalogue, clock, timers })(link, wanted, ACTOR);
  };
  const placed = async (link: string) => (await one.groups.current()).placed.get(link) ?? 0;
  const sellInOne = async () => void soldIn(await one.useCases.sell(ticketSale()));

  beforeEach(async () => {
    [one, other, paused] = [await world(), await world(), 0];
    const group = {
      number: 1,
      sealedDatabase: 's',
      isOpen: true,
      move: null,
      addedAt: one.clock.now(),
    };
    const entry = { at: one.clock.now(), action: 'group.saved', actor: ACTOR } as never;
    await one.groups.save(group, entry);
  });

  it('puts a new one where it is wanted, or into the open group with the fewest sales', async () => {
    expect(await place('new-a', 1)).to.deep.equal({ kind: 'placed', group: 1 });
    await sellInOne();
    expect(await place('new-b')).to.deep.equal({ kind: 'placed', group: 1 });
    expect(await placed('new-b')).to.equal(1);
    expect(paused).to.equal(0);
    const [entry] = await one.auditLog.list({ subject: 'channel/new-b', limit: 1 });
    expect(entry?.changes).to.deep.equal([{ field: 'group', before: 0, after: 1 }]);
  });

  it('leaves a known one where it is, unless another group is wanted', async () => {
    const { channelLink } = DEMO_CHANNEL;
    expect(await place(channelLink)).to.deep.equal({ kind: 'kept', group: 0 });
    expect(await place(channelLink, 0)).to.deep.equal({ kind: 'kept', group: 0 });
    expect(await place(channelLink, 1)).to.deep.equal({ kind: 'placed', group: 1 });
    expect(paused).to.equal(1_000);
    expect(await place(channelLink)).to.deep.equal({ kind: 'kept', group: 1 });
    expect(await place(channelLink, 5)).to.deep.equal({ kind: 'unknown', known: [0, 1] });
  });

  it('moves none whose group this process has not opened yet: it may have sold there', async () => {
    const { channelLink } = DEMO_CHANNEL;
    const entry = { at: one.clock.now(), action: 'channel.put', actor: ACTOR } as never;
    await one.groups.place(channelLink, 2, entry);
    expect(await failure(place(channelLink, 1))).to.be.instanceOf(Unavailable);
    expect(await placed(channelLink)).to.equal(2);
  });

  it('moves none that has a sale, also one that comes meanwhile', async () => {
    const { channelLink } = DEMO_CHANNEL;
    const stays = { kind: 'has_sales', group: 0 };
    expect(await place(channelLink, 1, sellInOne)).to.deep.equal(stays);
    expect(await placed(channelLink)).to.equal(0);
    expect(await place(channelLink, 1)).to.deep.equal(stays);
  });
});

describe('the totals of all groups', () => {
  const QUERY = {
    from: '2026-11-01' as CalendarDate,
    to: '2026-11-30' as CalendarDate,
    by: 'product',
  } as const;

  it('are added by key, as of the earliest, and name a group that does not answer', async () => {
    const worlds = [await world(), await world(), await world()];
    for (const each of worlds.slice(0, 2)) {
      soldIn(await each.useCases.sell(ticketSale()));
      await each.runJobs();
    }
    const readOf = (views: readonly (readonly [number, object])[]) =>
      makeReadTotals({ groupViews: () => new Map(views) as never })(QUERY);
    const [one, two, none] = worlds as [MemoryService, MemoryService, MemoryService];
    const alone = await readOf([[0, one]]);
    const both = await readOf([
      [0, one],
      [1, two],
    ]);
    expect(both.sums).to.have.length(alone.sums.length);
    for (const [index, { lines, total }] of both.sums.entries()) {
      expect(lines).to.equal(2 * (alone.sums[index]?.lines ?? 0));
      expect(total).to.equal(2 * (alone.sums[index]?.total ?? 0));
    }
    expect(both.since).to.equal(alone.since);
    expect(
      (
        await readOf([
          [0, one],
          [2, none],
        ])
      ).asOf,
    ).to.equal(null);
    const away = { bookingTotals: { read: async () => Promise.reject(new Unavailable('away')) } };
    expect(
      await readOf([
        [0, one],
        [1, away],
      ]),
    ).to.deep.equal({ ...alone, incomplete: [1] });
  });
});
