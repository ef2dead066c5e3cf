import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { addressOf } from '../../application/all-groups/group-addresses.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { ChannelGroup } from '../../application/groups/groups.ts';
import type { Composed } from '../composition/compose.ts';
import type { OpenGroups } from '../composition/open-groups.ts';
import * as ports from '../composition/ports.ts';
import type { ServiceConfig } from '../composition/system.ts';
import type { GroupService } from './group-service.ts';

/** Pause between two looks at the groups, ms. */
const LOOK_MS = 1_000;

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
  #address: string | undefined;
  #open: GroupService | undefined;
  #isAway: boolean | undefined;
  #work: Promise<void> | undefined;

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
    try {
      const address = addressOf(group, this.#given.service.get(ports.secretSeal));
      if (this.#open !== undefined && this.#address !== address) await this.#close();
      this.#address = address;
      this.#open ??= await this.#opened(address);
      await this.#open.check();
      this.#tell(false);
    } catch (error) {
      this.#tell(true, error);
    }
  }

  async #opened(address: string): Promise<GroupService> {
    // A process without groups does not load it.
    const { openGroup } = await import('./group-service.ts');
    return openGroup({ ...this.#given, group: this.#number, address });
  }

  #tell(isAway: boolean, fault?: unknown): void {
    const { groups, log, service } = this.#given;
    groups.set(this.#number, this.#open, isAway);
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

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    this.#given.groups.set(this.#number, undefined, true);
    await open?.stop();
  }

  async stop(): Promise<void> {
    await this.#work;
    await this.#open?.stop();
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

  const look = async (): Promise<readonly Promise<void>[]> => {
    const { groups } = await known.current();
    if (isStopped) return [];
    return groups.map((group) => {
      const one = followed.get(group.number) ?? new FollowedGroup(given, group.number);
      followed.set(group.number, one);
      return one.attend(group);
    });
  };

  const opening = Promise.all(await look());
  await Promise.race([opening, wait(START_MS, undefined, { ref: false })]);
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS).unref();
  return async function stopGroups() {
    isStopped = true;
    clearInterval(timer);
    await Promise.all([...followed.values()].map((one) => one.stop()));
  };
};
