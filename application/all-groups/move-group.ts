import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import type { Clock, Timers } from '../clock.ts';
import type { ChannelGroup, GroupMove, Groups } from '../groups/groups.ts';
import type { SecretSeal } from '../webhooks/webhook-sender.ts';
import { addressOf, openAddress, sealAddress, targetOf } from './group-addresses.ts';
import type { GroupDatabases } from './manage-groups.ts';

/** Opens the databases between which a group moves. */
export interface GroupCopies {
  /** @throws Unavailable, Error where one of them is not to be used */
  open(from: string, to: string, group: number): Promise<GroupCopy>;
  /** Ends what a finished move left behind in the database at `address`. @throws Unavailable */
  tidy(address: string, group: number): Promise<void>;
}

/** The copy of a group's database, which follows the original until the group moves to it. */
export interface GroupCopy {
  /** Keeps all other commands off the group until `close`. @throws Unavailable, Error where one has it */
  lock(): Promise<void>;
  /**
   * Begins to copy, or goes on with a copy that was begun before, where the tables of a group have been
   * made. The original takes writes.
   *
   * @throws Unavailable, Error where it cannot be copied
   */
  begin(): Promise<void>;
  progress(): Promise<CopyProgress>;
  /** How many jobs processes are doing in the original. */
  runningJobs(): Promise<number>;
  /**
   * The original takes no writes from now on. Resolves when the copy has all of them, and goes on
   * with the numbers.
   *
   * @throws Unavailable where the copy does not have them in time: the original takes writes again
   */
  takeOver(): Promise<void>;
  /** The copy no longer follows the original, which stays as it is. */
  release(): Promise<void>;
  /** The copy no longer follows the original, which takes writes again. */
  giveUp(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyProgress {
  readonly tables: number;
  readonly copiedTables: number;
  /** Bytes of the original's log that the copy does not have yet. */
  readonly bytesBehind: number;
  /** Tries that failed: the log of the target's server says why. */
  readonly failures: number;
}

interface Needs {
  readonly groups: Groups;
  readonly groupDatabases: GroupDatabases;
  readonly groupCopies: GroupCopies;
  readonly secretSeal: SecretSeal;
  readonly clock: Clock;
  readonly timers: Timers;
}

/** Pause between two looks at the copy, and at the jobs, ms. */
const [COPY_LOOK_MS, JOBS_LOOK_MS] = [500, 100];

/** The requests of a group wait once the copy lacks less than so many bytes of log. */
const NEARLY_THERE_BYTES = 4_000_000;

/** Time in which each process ends its jobs in the group, and opens the copy, ms. */
const DRAIN_MS = 3_000;

/** Longest time that running jobs are waited for, ms. What they store too late is done again. */
const MAX_DRAIN_MS = 15_000;

/** Time in which each process lets requests wait, and answers those that have begun, ms. */
const HOLD_MS = 150;

/**
 * Moves a group to an empty database, while it sells. The same call goes on with a move that was
 * interrupted; the present address gives up a move that is not finished.
 *
 * @param tell says how far the copy is
 * @throws Unavailable; Error where it cannot be moved there
 */
export type MoveGroup = (
  number: number,
  address: string,
  actor: Actor,
  tell: (progress: CopyProgress) => void,
) => Promise<ChannelGroup>;

export const makeMoveGroup = (needs: Needs): MoveGroup => {
  const { groups, groupDatabases, groupCopies, secretSeal, timers } = needs;

  const find = async (number: number): Promise<ChannelGroup> => {
    const { groups: stored } = await groups.current();
    const found = stored.find((each) => each.number === number);
    if (found === undefined) throw new Error(`there is no group ${number}`);
    return found;
  };

  /** @throws Error where the group may not move to the address */
  const refuseTarget = async (group: ChannelGroup, address: string): Promise<void> => {
    const target = targetOf(group, secretSeal);
    if (target !== undefined && target !== address)
      throw new Error(
        'the group is moving to another address: go on with that one, or give it up by its present address',
      );
    const { groups: stored } = await groups.current();
    const other = stored.find((each) => openAddress(each, secretSeal) === address);
    if (other !== undefined) throw new Error(`this is the database of group ${other.number}`);
  };

  const move = async (copy: GroupCopy, steps: MoveSteps, tell: (at: CopyProgress) => void) => {
    await copy.begin();
    await steps.enter('copying');
    for (;;) {
      const at = await copy.progress();
      tell(at);
      if (at.copiedTables === at.tables && at.bytesBehind < NEARLY_THERE_BYTES) break;
      await timers.pause(COPY_LOOK_MS);
    }
    await steps.enter('draining');
    await timers.pause(DRAIN_MS);
    for (let waitedMs = DRAIN_MS; waitedMs < MAX_DRAIN_MS; waitedMs += JOBS_LOOK_MS) {
      if ((await copy.runningJobs()) === 0) break;
      await timers.pause(JOBS_LOOK_MS);
    }
    await steps.enter('switching');
    await timers.pause(HOLD_MS);
    await copy.takeOver();
  };

  return async function moveGroup(number, address, actor, tell) {
    const group = await find(number);
    const from = addressOf(group, secretSeal);
    if (address !== from) await refuseTarget(group, address);
    else if (group.move === null) {
      await groupCopies.tidy(address, number);
      return group;
    }
    const copy = await groupCopies.open(from, targetOf(group, secretSeal) ?? address, number);
    const steps = new MoveSteps(needs, { group, address, actor });
    try {
      await copy.lock();
      await steps.confirm();
      if (address === from) {
        await copy.giveUp();
        return await steps.leave(group.sealedDatabase);
      }
      try {
        await groupDatabases.prepare(address, number);
        await move(copy, steps, tell);
      } catch (error) {
        await steps.takeBack();
        throw error;
      }
      const moved = await steps.leave(sealAddress(address, number, secretSeal));
      await copy.release();
      return moved;
    } finally {
      await copy.close();
    }
  };
};

interface Moving {
  readonly group: ChannelGroup;
  readonly address: string;
  readonly actor: Actor;
}

/** Stores how far the move of a group is. Processes act on it. */
class MoveSteps {
  readonly #needs: Needs;
  readonly #given: Moving;
  /** The group as it was stored last. */
  #present: ChannelGroup;

  constructor(needs: Needs, given: Moving) {
    this.#needs = needs;
    this.#given = given;
    this.#present = given.group;
  }

  async enter(phase: GroupMove['phase']): Promise<void> {
    const { group, address } = this.#given;
    const { secretSeal } = this.#needs;
    const sealedTarget = sealAddress(address, group.number, secretSeal);
    await this.#save({ ...group, move: { sealedTarget, phase } }, phase);
  }

  /** Stores the group as it was read. @throws Error where another command has changed it before the lock */
  async confirm(): Promise<void> {
    await this.#save(this.#present, this.#present.move?.phase ?? null);
  }

  /** Processes do jobs and answer requests again, in the original. */
  async takeBack(): Promise<void> {
    const phase = this.#present.move?.phase;
    if (phase !== undefined && phase !== 'copying') await this.enter('copying');
  }

  /** Ends the move: the group is at an address. */
  async leave(sealedDatabase: string): Promise<ChannelGroup> {
    const group = { ...this.#given.group, sealedDatabase, move: null };
    await this.#save(group, null);
    return group;
  }

  async #save(group: ChannelGroup, phase: GroupMove['phase'] | null): Promise<void> {
    const { groups, clock } = this.#needs;
    const before = this.#present.move?.phase ?? null;
    const entry: AuditEntry = {
      ...{ at: clock.now(), action: 'group.saved', actor: this.#given.actor, reason: null },
      subject: `group/${group.number}`,
      changes: before === phase ? [] : [{ field: 'move', before, after: phase }],
    };
    if ((await groups.save(group, entry, this.#present)) === 'taken')
      throw new Error('another command has changed the group: look at it with group list');
    this.#present = group;
  }
}
