import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { addressOf, targetOf } from '../../application/all-groups/group-addresses.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { ChannelGroup, GroupMove } from '../../application/groups/groups.ts';
import type { Composed } from '../composition/compose.ts';
import type { OpenGroups } from '../composition/open-groups.ts';
import * as ports from '../composition/ports.ts';
import type { ServiceConfig } from '../composition/system.ts';
import type { GroupService } from './group-service.ts';

/** Pause between two looks at the groups, ms; and when one is about to move. */
const [LOOK_MS, MOVE_LOOK_MS] = [1_000, 50];

/** Longest time that a move is in a phase, ms: then the command that moves the group has stopped. */
const MAX_MS = { copying: Number.POSITIVE_INFINITY, draining: 60_000, switching: 20_000 };

/** Time that the start waits for groups; those that need longer are opened beside the others, ms. */
const START_MS = 5_000;

interface Following {
  readonly config: ServiceConfig;
  readonly log: Logger;
  readonly tracing: Tracing | undefined;
  readonly service: Composed;
  readonly groups: OpenGroups;
  readonly listensAt: string;
  /** Modules that only commands need. */
  readonly more: readonly ContainerModule[];
}

/** A group, which this process opens when it can and watches from then on. */
class FollowedGroup {
  readonly #given: Following;
  readonly #number: number;
  #open: GroupService | undefined;
  /** On the database that the group moves to. */
  #next: GroupService | undefined;
  #isTargetAway = false;
  /** The address where it is open, as the group showed it. */
  #sealed: string | undefined;
  /** The phase that the group showed last, and since when. */
  #phase: GroupMove['phase'] | undefined;
  #since = 0;
  /** Whether this process has to follow each step of its move. */
  isAboutToMove = false;
  /** Whether it does no more jobs where it is open. */
  #isResting = false;
  /** Whether this process has stored its notes, which it does once before the group moves. */
  #isStored = false;
  #isAway: boolean | undefined;
  #work: Promise<void> | undefined;
  /** Services that are being stopped. */
  #leaving: Promise<unknown> = Promise.resolve();

  constructor(given: Following, number: number) {
    this.#given = given;
    this.#number = number;
    given.groups.set(number, undefined, false);
  }

  /** Opens or checks it, if that is not being done. */
  attend(group: ChannelGroup): Promise<void> {
    this.#work ??= this.#attend(group).finally(() => {
      this.#work = undefined;
    });
    return this.#work;
  }

  async #attend(group: ChannelGroup): Promise<void> {
    const seal = this.#given.service.get(ports.secretSeal);
    const phase = this.#phaseOf(group);
    try {
      const address = addressOf(group, seal);
      const isBack = this.#isResting && (phase === undefined || phase === 'copying');
      const isThere = this.#open?.address === address && !isBack;
      if (isThere) this.#sealed = group.sealedDatabase;
      else await this.#openAt(address, group.sealedDatabase);
      if (phase !== 'switching') {
        await this.#open?.check();
        this.#tell(false);
        await this.#given.groups.endSwitch(this.#number);
      }
      await this.#prepareMove(phase, targetOf(group, seal));
    } catch (error) {
      // The command that moves it ends all sessions.
      if (this.isAboutToMove) return;
      this.#tell(true, error);
      await this.#given.groups.endSwitch(this.#number).catch(() => {});
    }
  }

  /** The phase of its move. Where the command that moves it has stopped, the group goes on as before. */
  #phaseOf({ move }: ChannelGroup): GroupMove['phase'] | undefined {
    if (move?.phase !== this.#phase) [this.#phase, this.#since] = [move?.phase, performance.now()];
    const isLate = performance.now() - this.#since > MAX_MS[move?.phase ?? 'copying'];
    const phase = isLate ? 'copying' : move?.phase;
    this.isAboutToMove = phase === 'draining' || phase === 'switching';
    return phase;
  }

  /** Goes on at an address: at once where it is prepared there. */
  async #openAt(address: string, sealedDatabase: string): Promise<void> {
    const [old, next] = [this.#open, this.#next];
    const isPrepared = next?.address === address;
    // Beside the old one, so that no request is refused. An embedded database never moves.
    const open = isPrepared ? next : await this.#opened(address);
    this.#open = open;
    this.#next = undefined;
    [this.#isResting, this.#isStored] = [false, false];
    this.#sealed = sealedDatabase;
    this.#given.groups.set(this.#number, open, false, sealedDatabase);
    await this.#given.groups.endSwitch(this.#number);
    this.#leave(old);
    if (!isPrepared) this.#leave(next);
    try {
      await open.work();
    } catch (error) {
      // It is opened again.
      this.#isResting = true;
      throw error;
    }
  }

  /** What this process does for the command that moves the group. */
  async #prepareMove(
    phase: GroupMove['phase'] | undefined,
    target: string | undefined,
  ): Promise<void> {
    if (target !== this.#next?.address) {
      this.#leave(this.#next);
      this.#next = undefined;
      if (target !== undefined) this.#next = await this.#openedAhead(target);
    }
    if (phase === 'draining' && !this.#isResting) {
      this.#isResting = true;
      this.#open?.rest().catch(() => {});
    }
    if (phase === 'switching' && !this.#isStored) {
      this.#isStored = true;
      this.#open?.storeNotes().catch(() => {});
    }
  }

  /** Where that fails, the group is opened when it has moved. */
  async #openedAhead(target: string): Promise<GroupService | undefined> {
    try {
      const opened = await this.#opened(target);
      this.#isTargetAway = false;
      return opened;
    } catch (error) {
      const about = { group: this.#number, fault: describeFault(error) };
      if (!this.#isTargetAway)
        this.#given.log.warn(about, 'the database to which a group moves is not open yet');
      this.#isTargetAway = true;
      return undefined;
    }
  }

  async #opened(address: string): Promise<GroupService> {
    // A process without groups does not load it.
    const { openGroup } = await import('./group-service.ts');
    return openGroup({ ...this.#given, group: this.#number, address });
  }

  #tell(isAway: boolean, fault?: unknown): void {
    const { groups, log, service } = this.#given;
    groups.set(this.#number, this.#open, isAway, this.#sealed);
    if (this.#isAway === isAway) return;
    this.#isAway = isAway;
    const group = this.#number;
    if (!isAway) {
      log.info({ group }, 'a group is open');
      return;
    }
    log.warn({ group, fault: describeFault(fault) }, 'a group is out of reach');
    service.get(ports.alerts).raise({ kind: 'group_unavailable', group });
  }

  /** Stops a service, while this process goes on without it. */
  #leave(service: GroupService | undefined): void {
    if (service === undefined) return;
    const stopped = service.stop().catch(() => {});
    this.#leaving = Promise.all([this.#leaving, stopped]);
  }

  async stop(): Promise<void> {
    await this.#work;
    this.#leave(this.#open);
    this.#leave(this.#next);
    await this.#leaving;
  }
}

/**
 * Opens the groups that are stored, now and as long as the process runs: new ones, those that were
 * out of reach, and those that have moved. Each by itself, so one that hangs delays none. Returns a
 * function that stops them all.
 */
export const followGroups = async (given: Following): Promise<() => Promise<void>> => {
  const known = given.service.get(ports.groups);
  const followed = new Map<number, FollowedGroup>();
  let isStopped = false;
  let pauseMs = LOOK_MS;

  const look = async (): Promise<readonly Promise<void>[]> => {
    const { groups } = await known.current();
    if (isStopped) return [];
    const attended = groups.map((group) => {
      const one = followed.get(group.number) ?? new FollowedGroup(given, group.number);
      followed.set(group.number, one);
      return one.attend(group);
    });
    const isSoon = [...followed.values()].some((one) => one.isAboutToMove);
    pauseMs = isSoon ? MOVE_LOOK_MS : LOOK_MS;
    return attended;
  };

  const opening = Promise.all(await look());
  await Promise.race([opening, wait(START_MS, undefined, { ref: false })]);
  let timer: NodeJS.Timeout | undefined;
  const lookLater = (): void => {
    timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(lookLater),
      pauseMs,
    ).unref();
  };
  lookLater();
  return async function stopGroups() {
    isStopped = true;
    clearTimeout(timer);
    await Promise.all([...followed.values()].map((one) => one.stop()));
  };
};
