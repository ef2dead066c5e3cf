import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** A group of channels that has a database of its own. */
export interface ChannelGroup {
  /** At least 1: group 0 is that of the control database, and is not stored. */
  readonly number: number;
  /** The address of its database, sealed: it may hold a password. */
  readonly sealedDatabase: string;
  /** Whether new channels may come into it. */
  readonly isOpen: boolean;
  readonly addedAt: Instant;
  /** Null where the group stays in its database. */
  readonly move: GroupMove | null;
}

/** The move of a group to another database. */
export interface GroupMove {
  /** The address of the database that it moves to, sealed. */
  readonly sealedTarget: string;
  /**
   * - `copying`: the target gets what the group has. Each process opens it.
   * - `draining`: the group sells, and no process begins its jobs.
   * - `switching`: each process lets the requests of the group wait.
   */
  readonly phase: 'copying' | 'draining' | 'switching';
}

/** Which groups there are, and which channel is in which. */
export interface GroupMap {
  /** By number. */
  readonly groups: readonly ChannelGroup[];
  /** The group of each channel that is not in group 0. */
  readonly placed: ReadonlyMap<string, number>;
}

/**
 * The groups of channels, and what is in them.
 *
 * 1. A group is found as it was saved last; a channel is in the group where it was placed last, and in
 *    group 0 if it was placed nowhere.
 * 2. A change and its audit entry are stored together. A number is given once, and a group is changed
 *    only if address and move are still as `before` shows them: else nothing is stored.
 * 3. `current` reads from memory and sees every change within a second, in every process.
 */
export interface Groups {
  current(): Promise<GroupMap> | GroupMap;
  /** @param before the group as it was read; absent: it is added. `taken`: another change came first */
  save(group: ChannelGroup, entry: AuditEntry, before?: ChannelGroup): Promise<'saved' | 'taken'>;
  place(channelLink: string, group: number, entry: AuditEntry): Promise<void>;
}
