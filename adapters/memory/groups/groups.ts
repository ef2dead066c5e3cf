import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type { ChannelGroup, GroupMap, Groups } from '../../../application/groups/groups.ts';

export class MemoryGroups implements Groups {
  readonly #auditLog: AuditLog;
  readonly #groups = new Map<number, ChannelGroup>();
  readonly #placed = new Map<string, number>();

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  current(): GroupMap {
    const groups = [...this.#groups.values()].sort((one, other) => one.number - other.number);
    return { groups, placed: new Map(this.#placed) };
  }

  async save(
    group: ChannelGroup,
    entry: AuditEntry,
    before?: ChannelGroup,
  ): Promise<'saved' | 'taken'> {
    if (stateOf(this.#groups.get(group.number)) !== stateOf(before)) return 'taken';
    this.#groups.set(group.number, group);
    await this.#auditLog.append(entry);
    return 'saved';
  }

  async place(channelLink: string, group: number, entry: AuditEntry): Promise<void> {
    if (group === 0) this.#placed.delete(channelLink);
    else this.#placed.set(channelLink, group);
    await this.#auditLog.append(entry);
  }
}

/** What a change must know. */
const stateOf = (group: ChannelGroup | undefined): string | undefined =>
  group && JSON.stringify([group.sealedDatabase, group.move?.sealedTarget, group.move?.phase]);
