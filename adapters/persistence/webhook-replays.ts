import type { Instant } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type { Replay, TakenReplay, WebhookReplays } from '../../application/webhooks/replays.ts';
import { entryFor, entryJson } from './audit-log.ts';
import { rowReader, selection } from './columns.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';
import { WEBHOOK_REPLAY } from './tables.ts';

const { takenUntil: _, ...TAKEN } = WEBHOOK_REPLAY;

const requestReplay = statement<Replay & { entry: string }>(
  'request-webhook-replay',
  `
    with requested as (
      insert into webhook_replay (endpoint_id, from_time, to_time)
      values ($endpointId, $from, $to) on conflict (endpoint_id) do nothing
      returning id
    ), entry as (${entryFor('requested')})
    select id from requested`,
);

const takeReplay = statement<{ now: Instant; until: Instant }>(
  'take-webhook-replay',
  `
    update webhook_replay set taken_until = $until where id = (
      select id from webhook_replay where taken_until is null or taken_until <= $now
      order by taken_until nulls first, id limit 1 for update skip locked
    ) returning ${selection(TAKEN)}`,
);

const noteStep = statement<{ id: number; after: number; now: Instant }>(
  'note-webhook-replay',
  `
    update webhook_replay set last_place = greatest(last_place, $after), taken_until = $now
    where id = $id`,
);

const endReplay = statement<{ id: number }>(
  'end-webhook-replay',
  `delete from webhook_replay where id = $id`,
);

const readTaken = rowReader(TAKEN);

export class DatabaseWebhookReplays implements WebhookReplays {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async request(replay: Replay, entry: AuditEntry): Promise<'requested' | 'runs_already'> {
    const values = { ...replay, entry: entryJson(entry) };
    const requested = await this.#database.query(requestReplay, values);
    return requested.length === 1 ? 'requested' : 'runs_already';
  }

  async take(now: Instant, until: Instant): Promise<TakenReplay | undefined> {
    const [row] = await this.#database.query(takeReplay, { now, until });
    if (row === undefined) return undefined;
    const { id, endpointId, fromTime, toTime, lastPlace } = readTaken(row);
    return { id, endpointId, from: fromTime, to: toTime, after: lastPlace };
  }

  async note(id: number, after: number | undefined, now: Instant): Promise<void> {
    if (after === undefined) await this.#database.query(endReplay, { id });
    else await this.#database.query(noteStep, { id, after, now });
  }
}
