import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  EndpointHealth,
  WebhookEndpoint,
  WebhookEndpoints,
} from '../../application/webhooks/endpoints.ts';
import { entryFor, entryJson } from './audit-log.ts';
import { columnNames, parameters, type RowOf, rowReader, rowWriter, selection } from './columns.ts';
import type { Database } from './database.ts';
import { queryInside, statement } from './statement.ts';
import { WEBHOOK_ENDPOINT } from './tables.ts';

type EndpointValues = Record<keyof typeof WEBHOOK_ENDPOINT | 'entry', unknown>;

/** Makes additions and changes in one channel wait for each other. */
const lockChannel = statement<{ channelLink: string }>(
  'lock-webhook-endpoints-of-channel',
  `select pg_advisory_xact_lock(hashtext('webhook_endpoint'), hashtext($channelLink))`,
);

const examineChannel = statement<
  { id: string; channelLink: string; url: string },
  { readonly endpoints: number; readonly isTaken: boolean }
>(
  'examine-webhook-endpoints-of-channel',
  `
    select count(*)::integer as endpoints,
      coalesce(bool_or(url = $url and id <> $id), false) as "isTaken"
    from webhook_endpoint where channel_link = $channelLink`,
);

const addEndpoint = statement<EndpointValues>(
  'add-webhook-endpoint',
  `
    with added as (
      insert into webhook_endpoint (${columnNames(WEBHOOK_ENDPOINT)})
      values (${parameters(WEBHOOK_ENDPOINT)}) returning id
    ), entry as (${entryFor('added')})
    select id from added`,
);

const findEndpoint = statement<{ id: string }>(
  'find-webhook-endpoint',
  `select ${selection(WEBHOOK_ENDPOINT)} from webhook_endpoint where id = $id`,
);

const listEndpoints = statement<{ channelLink: string | null }>(
  'list-webhook-endpoints',
  `
    select ${selection(WEBHOOK_ENDPOINT)} from webhook_endpoint
    where $channelLink::text is null or channel_link = $channelLink
    order by created_at, id`,
);

/** Keeps the failures that are stored now, or clears them. */
const saveEndpoint = statement<EndpointValues>(
  'save-webhook-endpoint',
  `
    with saved as (
      update webhook_endpoint
      set url = $url, events = $events::jsonb, description = $description,
        disabled_reason = $disabledReason, disabled_at = $disabledAt::timestamptz,
        sealed_secret = $sealedSecret, previous_secret = $previousSecret,
        previous_until = $previousUntil::timestamptz, version = version + 1,
        failing_since = case when $failingSince::timestamptz is not null then failing_since end,
        paused_until = case when $pausedUntil::timestamptz is not null then paused_until end
      where id = $id and version = $version returning id
    ), entry as (${entryFor('saved')})
    select id from saved`,
);

const removeEndpoint = statement<{ id: string; entry: string }>(
  'remove-webhook-endpoint',
  `
    with removed as (delete from webhook_endpoint where id = $id returning id),
      replay as (delete from webhook_replay where endpoint_id = $id),
      entry as (${entryFor('removed')})
    select id from removed`,
);

/** Writes nothing where nothing changes. */
const noteHealth = statement<
  Record<
    'id' | 'version' | 'failingSince' | 'pausedUntil' | 'disabledReason' | 'disabledAt',
    unknown
  >
>(
  'note-webhook-health',
  `
    update webhook_endpoint
    set failing_since = $failingSince::timestamptz, paused_until = $pausedUntil::timestamptz,
      disabled_reason = coalesce($disabledReason::text, disabled_reason),
      disabled_at = case when $disabledReason::text is null then disabled_at
        else $disabledAt::timestamptz end,
      version = version + case when $disabledReason::text is null then 0 else 1 end
    where id = $id and version = $version
      and ($disabledReason::text is not null or (failing_since, paused_until)
        is distinct from ($failingSince::timestamptz, $pausedUntil::timestamptz))`,
);

export class DatabaseWebhookEndpoints implements WebhookEndpoints {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(
    endpoint: WebhookEndpoint,
    limit: number,
    entry: AuditEntry,
  ): Promise<'added' | 'too_many' | 'url_taken'> {
    return this.#database.transaction(async (inside) => {
      await queryInside(inside, lockChannel, endpoint);
      const [channel] = await queryInside(inside, examineChannel, endpoint);
      if (channel?.isTaken) return 'url_taken';
      if (channel === undefined || channel.endpoints >= limit) return 'too_many';

      await queryInside(inside, addEndpoint, valuesOf(endpoint, entry));
      return 'added';
    });
  }

  async find(id: string): Promise<WebhookEndpoint | undefined> {
    const [row] = await this.#database.query(findEndpoint, { id });
    return row && endpointOf(readRow(row));
  }

  async list(channelLink: string | undefined): Promise<readonly WebhookEndpoint[]> {
    const rows = await this.#database.query(listEndpoints, { channelLink: channelLink ?? null });
    return rows.map((row) => endpointOf(readRow(row)));
  }

  save(changed: WebhookEndpoint, entry: AuditEntry): Promise<'saved' | 'stale' | 'url_taken'> {
    return this.#database.transaction(async (inside) => {
      await queryInside(inside, lockChannel, changed);
      const [channel] = await queryInside(inside, examineChannel, changed);
      if (channel?.isTaken) return 'url_taken';

      const saved = await queryInside(inside, saveEndpoint, valuesOf(changed, entry));
      return saved.length === 1 ? 'saved' : 'stale';
    });
  }

  async remove(id: string, entry: AuditEntry): Promise<'removed' | 'unknown'> {
    const removed = await this.#database.query(removeEndpoint, { id, entry: entryJson(entry) });
    return removed.length === 1 ? 'removed' : 'unknown';
  }

  async noteHealth(id: string, version: number, health: EndpointHealth): Promise<void> {
    const { failingSince = null, pausedUntil = null, disabled } = health;
    const [disabledReason, disabledAt] = [disabled?.reason ?? null, disabled?.at ?? null];
    const noted = { failingSince, pausedUntil, disabledReason, disabledAt };
    await this.#database.query(noteHealth, { id, version, ...noted });
  }
}

const readRow = rowReader(WEBHOOK_ENDPOINT);
const writeRow = rowWriter(WEBHOOK_ENDPOINT);

/** The endpoint that a row holds. */
const endpointOf = (row: RowOf<typeof WEBHOOK_ENDPOINT>): WebhookEndpoint => {
  const { description, disabledReason: reason, disabledAt, ...content } = row;
  const { previousSecret, previousUntil, failingSince, pausedUntil, ...required } = content;
  return {
    ...required,
    ...(description !== null && { description }),
    ...(reason !== null && disabledAt !== null && { disabled: { reason, at: disabledAt } }),
    ...(previousSecret !== null &&
      previousUntil !== null && {
        previous: { sealedSecret: previousSecret, until: previousUntil },
      }),
    ...(failingSince !== null && { failingSince }),
    ...(pausedUntil !== null && { pausedUntil }),
  };
};

const valuesOf = (endpoint: WebhookEndpoint, entry: AuditEntry): EndpointValues => {
  const { description, disabled, previous, failingSince, pausedUntil, ...required } = endpoint;
  const row = writeRow({
    ...required,
    description: description ?? null,
    disabledReason: disabled?.reason ?? null,
    disabledAt: disabled?.at ?? null,
    previousSecret: previous?.sealedSecret ?? null,
    previousUntil: previous?.until ?? null,
    failingSince: failingSince ?? null,
    pausedUntil: pausedUntil ?? null,
  });
  return { ...row, entry: entryJson(entry) };
};
