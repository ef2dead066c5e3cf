import { expect } from 'chai';
import { addressOf, targetOf } from '../../application/all-groups/group-addresses.ts';
import { makeAddGroup, makeResealAddresses } from '../../application/all-groups/manage-groups.ts';
import {
  type CopyProgress,
  type GroupCopy,
  makeMoveGroup,
} from '../../application/all-groups/move-group.ts';
import type { ChannelGroup } from '../../application/groups/groups.ts';
import { Unavailable } from '../../application/unavailable.ts';
import { memoryService } from '../../bootstrap/composition/memory.ts';
import { ADMINISTRATOR as ACTOR } from '../support/identity.ts';

const [FROM, TO] = ['postgres://u:secret@one/a', 'postgres://two/b'];

const failure = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => 'nothing failed',
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error.message : String(error);
};

describe('moving a group of channels', () => {
  /** What was done to the copy, each with the phase that processes knew of then. */
  let done: string[];
  let paused: number;
  const arrange = async (over: Partial<GroupCopy> = {}) => {
    const { groups, secretSeal, clock, timers, auditLog } = memoryService();
    [done, paused] = [[], 0];
    const group = async () => (await groups.current()).groups[0] as ChannelGroup;
    const note = (what: string) => async (): Promise<void> => {
      done.push(`${(await group()).move?.phase ?? 'no move'}: ${what}`);
    };
    const steps: CopyProgress[] = [
      { tables: 9, copiedTables: 3, bytesBehind: 0, failures: 1 },
      { tables: 9, copiedTables: 9, bytesBehind: 5_000_000, failures: 1 },
    ];
    const atLast = { tables: 9, copiedTables: 9, bytesBehind: 3_999_999, failures: 1 };
    const jobs = [2, 1];
    const copy: GroupCopy = {
      lock: async () => {},
      begin: note('begin'),
      progress: async () => steps.shift() ?? atLast,
      runningJobs: async () => jobs.shift() ?? 0,
      takeOver: note('take over'),
      release: note('release'),
      giveUp: note('give up'),
      close: async () => void done.push('closed'),
      ...over,
    };
    const opened: (readonly [string, string, number])[] = [];
    const groupDatabases = { prepare: async () => {} };
    await makeAddGroup({ groups, groupDatabases, secretSeal, clock })(FROM, ACTOR);
    const needs = {
      ...{ groups, groupDatabases, secretSeal, clock },
      timers: {
        ...timers,
        pause: async (ms: number) => {
          paused += ms;
        },
      },
      groupCopies: {
        open: async (...given: readonly [string, string, number]) => {
          opened.push(given);
          return copy;
        },
        tidy: async (address: string) => void done.push(`tidy ${address}`),
      },
    };
    const told: number[] = [];
    const move = (address: string, number = 1) =>
      makeMoveGroup(needs)(number, address, ACTOR, ({ copiedTables }) => told.push(copiedTables));
    const address = async () => addressOf(await group(), secretSeal);
    const target = async () => targetOf(await group(), secretSeal);
    return { needs, move, group, address, target, told, opened, auditLog, secretSeal };
  };

  it('copies it, ends its jobs, lets requests wait, takes over and changes the address', async () => {
    const { move, address, group, told, opened, auditLog } = await arrange();
    expect((await move(TO)).number).to.equal(1);
    expect(done).to.deep.equal([
      ...['no move: begin', 'switching: take over', 'no move: release', 'closed'],
    ]);
    expect([await address(), (await group()).move]).to.deep.equal([TO, null]);
    expect(told).to.deep.equal([3, 9, 9]);
    expect(paused).to.equal(2 * 500 + 3_000 + 2 * 100 + 150);
    expect(opened).to.deep.equal([[FROM, TO, 1]]);
    const entries = await auditLog.list({ subject: 'group/1', limit: 9 });
    const phases = entries
      .flatMap(({ changes }) => changes)
      .filter((each) => each.field === 'move');
    expect(phases.map(({ before, after }) => [before, after])).to.deep.equal([
      ['switching', null],
      ['draining', 'switching'],
      ['copying', 'draining'],
      [null, 'copying'],
    ]);
  });

  it('waits for jobs that do not end no longer than 15 s', async () => {
    const { move, address } = await arrange({ runningJobs: async () => 1 });
    await move(TO);
    expect(await address()).to.equal(TO);
    expect(paused).to.equal(2 * 500 + 15_000 + 150);
  });

  it('goes on in the old database, where the copy lacks the last writes; a second try goes on', async () => {
    let isLate = true;
    const takeOver = async (): Promise<void> => {
      if (isLate) throw new Unavailable('late');
    };
    const { move, address, target, group } = await arrange({ takeOver });
    expect(await failure(move(TO))).to.equal('late');
    expect([await address(), await target()]).to.deep.equal([FROM, TO]);
    expect((await group()).move?.phase).to.equal('copying');
    expect(await failure(move('postgres://three/c'))).to.include('moving to another address');
    isLate = false;
    await move(TO);
    expect([await address(), await target()]).to.deep.equal([TO, undefined]);
  });

  it('begins no move where the copy cannot begin', async () => {
    const begin = () => Promise.reject(new Error('not logical'));
    const { move, group } = await arrange({ begin });
    expect(await failure(move(TO))).to.equal('not logical');
    expect((await group()).move).to.equal(null);
    expect(done).to.deep.equal(['closed']);
  });

  it('touches nothing where another command has the group, or has changed it meanwhile', async () => {
    const { move, address } = await arrange({
      lock: () => Promise.reject(new Error('another command is moving this group')),
    });
    expect(await failure(move(TO))).to.include('another command');
    expect([await address(), done]).to.deep.equal([FROM, ['closed']]);

    const second = await arrange({
      takeOver: async () => {
        const [group] = (await second.needs.groups.current()).groups as [ChannelGroup];
        const entry = { at: second.needs.clock.now(), action: 'group.saved', actor: ACTOR };
        await second.needs.groups.save({ ...group, move: null }, entry as never, group);
      },
    });
    expect(await failure(second.move(TO))).to.include('another command has changed the group');
    expect([await second.address(), (await second.group()).move]).to.deep.equal([FROM, null]);
    expect(done).to.deep.equal(['no move: begin', 'closed']);
  });

  it('is given up by the present address', async () => {
    const { move, address, group, opened } = await arrange({
      takeOver: () => Promise.reject(new Unavailable('late')),
    });
    await failure(move(TO));
    await move(FROM);
    expect([await address(), (await group()).move]).to.deep.equal([FROM, null]);
    expect(done).to.deep.equal(['no move: begin', 'closed', 'copying: give up', 'closed']);
    expect(opened).to.deep.equal([
      [FROM, TO, 1],
      [FROM, TO, 1],
    ]);
  });

  it('does nothing but tidy up, where the group is at the address', async () => {
    const { move } = await arrange();
    expect((await move(FROM)).move).to.equal(null);
    expect(done).to.deep.equal([`tidy ${FROM}`]);
  });

  it('moves no group into the database of another, and none that does not exist', async () => {
    const { move, needs } = await arrange();
    await makeAddGroup(needs)(TO, ACTOR);
    expect(await failure(move(TO))).to.equal('this is the database of group 2');
    expect(await failure(move(TO, 3))).to.equal('there is no group 3');
  });

  it('keeps the target of a move when addresses are sealed again, unless no key opens it', async () => {
    const takeOver = () => Promise.reject(new Unavailable('late'));
    const { move, needs, group, target } = await arrange({ takeOver });
    await failure(move(TO));
    const sealed = (await group()).move?.sealedTarget;
    expect(await makeResealAddresses(needs)(ACTOR)).to.deep.equal({ resealed: 1, lost: [] });
    expect((await group()).move?.sealedTarget).not.to.equal(sealed);
    expect(await target()).to.equal(TO);
    const broken = { ...(await group()), move: { phase: 'copying', sealedTarget: 'x' } };
    const entry = { at: needs.clock.now(), action: 'group.saved', actor: ACTOR };
    await needs.groups.save(broken as never, entry as never, await group());
    expect(await makeResealAddresses(needs)(ACTOR)).to.deep.equal({ resealed: 0, lost: [1] });
  });
});
