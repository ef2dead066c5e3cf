import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { Replay, TakenReplay, WebhookReplays } from '../../../application/webhooks/replays.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { isAdded } from '../engine/unit-of-work.ts';
import { addEntry } from '../operations/audit-log.ts';
import { bigint, moment, rowReader, text } from '../schema/columns.ts';

/** The columns of a replay that its worker needs. */
const TAKEN = { id: bigint, endpointId: text, from: moment, to: moment, after: bigint };

const readTaken = rowReader(TAKEN);

/** Takes a replay, but none that another process is taking now. Each worker asks when it starts. */
const takeReplay = statement<{ readonly now: Instant; readonly until: Instant }>(
  'take-webhook-replay',
  `
    update webhook_replay set taken_until = $until
    where id = (
      select id from webhook_replay where taken_until is null or taken_until <= $now
      order by taken_until nulls first, id limit 1 for update skip locked)
    returning id::text, endpoint_id as "endpointId", from_time as "from", to_time as "to",
      last_place::text as "after"`,
);

export class DatabaseWebhookReplays implements WebhookReplays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  request(
    { endpointId, from: fromTime, to: toTime }: Replay,
    entry: AuditEntry,
  ): Promise<'requested' | 'runs_already'> {
    return this.#database.entities(async (em, entities) => {
      em.create(entities.WebhookReplayEntity, {
        ...{ endpointId, fromTime, toTime, lastPlace: 0, takenUntil: null },
      });
      addEntry(em, entities, entry);
      return (await isAdded(em.flush())) ? 'requested' : 'runs_already';
    });
  }

  async take(now: Instant, until: Instant): Promise<TakenReplay | undefined> {
    const [taken] = await this.#database.query(takeReplay, { now, until });
    return taken && readTaken(taken);
  }

  async note(id: number, after: number | undefined, now: Instant): Promise<void> {
    await this.#database.entities(async (em, { WebhookReplayEntity, LockMode }) => {
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
