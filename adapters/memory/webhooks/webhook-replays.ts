import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type { Replay, TakenReplay, WebhookReplays } from '../../../application/webhooks/replays.ts';

interface Kept {
  readonly replay: TakenReplay;
  /** Absent until it is taken. */
  readonly takenUntil?: Instant;
}

export class MemoryWebhookReplays implements WebhookReplays {
  readonly #kept = new Map<number, Kept>();
  readonly #auditLog: AuditLog;
  #lastId = 0;

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async request(replay: Replay, entry: AuditEntry): Promise<'requested' | 'runs_already'> {
    const all = [...this.#kept.values()];
    if (all.some((each) => each.replay.endpointId === replay.endpointId)) return 'runs_already';
    this.#lastId += 1;
    this.#kept.set(this.#lastId, { replay: { ...replay, id: this.#lastId, after: 0 } });
    await this.#auditLog.append(entry);
    return 'requested';
  }

  async take(now: Instant, until: Instant): Promise<TakenReplay | undefined> {
    const [first] = [...this.#kept.values()]
      .filter(({ takenUntil = '' }) => takenUntil <= now)
      .sort(leastRecentFirst);
    if (first === undefined) return undefined;
    this.#kept.set(first.replay.id, { ...first, takenUntil: until });
    return { ...first.replay };
  }

  async note(id: number, after: number | undefined, now: Instant): Promise<void> {
    const known = this.#kept.get(id);
    if (known === undefined) return;
    if (after === undefined) this.#kept.delete(id);
    else {
      const replay = { ...known.replay, after: Math.max(after, known.replay.after) };
      this.#kept.set(id, { replay, takenUntil: now });
    }
  }
}

const leastRecentFirst = (one: Kept, other: Kept): number => {
  const [mine, theirs] = [one.takenUntil ?? '', other.takenUntil ?? ''];
  if (mine === theirs) return one.replay.id - other.replay.id;
  return mine < theirs ? -1 : 1;
};
