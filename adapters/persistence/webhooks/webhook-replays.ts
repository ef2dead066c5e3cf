import { LockMode } from '@mikro-orm/core';
import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { Replay, TakenReplay, WebhookReplays } from '../../../application/webhooks/replays.ts';
import type { Database } from '../engine/database.ts';
import { isAdded } from '../engine/unit-of-work.ts';
import { addEntry } from '../operations/audit-log.ts';
import { WebhookReplayEntity } from '../schema/entities.ts';

export class DatabaseWebhookReplays implements WebhookReplays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  request(
    { endpointId, from: fromTime, to: toTime }: Replay,
    entry: AuditEntry,
  ): Promise<'requested' | 'runs_already'> {
    return this.#database.entities(async (em) => {
      em.create(WebhookReplayEntity, {
        ...{ endpointId, fromTime, toTime, lastPlace: 0, takenUntil: null },
      });
      addEntry(em, entry);
      return (await isAdded(em.flush())) ? 'requested' : 'runs_already';
    });
  }

  take(now: Instant, until: Instant): Promise<TakenReplay | undefined> {
    return this.#database.entities((em) =>
      em.transactional(async (inside) => {
        const free = { $or: [{ takenUntil: null }, { takenUntil: { $lte: now } }] };
        const replay = await inside.findOne(WebhookReplayEntity, free, {
          orderBy: { takenUntil: 'asc nulls first', id: 'asc' },
          // Passes over those that another process is taking now.
          lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE,
        });
        if (replay === null) return undefined;
        replay.takenUntil = until;
        const { id, endpointId, fromTime: from, toTime: to, lastPlace: after } = replay;
        return { id, endpointId, from, to, after };
      }),
    );
  }

  async note(id: number, after: number | undefined, now: Instant): Promise<void> {
    await this.#database.entities(async (em) => {
      if (after === undefined) return em.nativeDelete(WebhookReplayEntity, id);
      return em.transactional(async (inside) => {
        const replay = await inside.findOne(WebhookReplayEntity, id, {
          lockMode: LockMode.PESSIMISTIC_WRITE,
        });
        if (replay === null) return;
        replay.lastPlace = Math.max(replay.lastPlace, after);
        replay.takenUntil = now;
      });
    });
  }
}
