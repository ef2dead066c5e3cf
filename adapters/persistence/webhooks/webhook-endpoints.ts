import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type {
  EndpointHealth,
  WebhookEndpoint,
  WebhookEndpoints,
} from '../../../application/webhooks/endpoints.ts';
import type { Database } from '../engine/database.ts';
import type { Entities } from '../engine/orm.ts';
import { type Executor, queryInside, statement } from '../engine/statement.ts';
import { addEntry } from '../operations/audit-log.ts';
import type { WebhookEndpointEntity as Endpoints } from '../schema/entities.ts';

/** Makes additions and changes in one channel wait for each other. */
const lockChannel = statement<{ channelLink: string }>(
  'lock-webhook-endpoints-of-channel',
  `select pg_advisory_xact_lock(hashtext('webhook_endpoint'), hashtext($channelLink))`,
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
    return this.#inChannel(endpoint, async (em, others, entities) => {
      if (others.some(({ url }) => url === endpoint.url)) return 'url_taken';
      if (others.length >= limit) return 'too_many';
      em.create(entities.WebhookEndpointEntity, rowOf(endpoint));
      addEntry(em, entities, entry);
      return 'added';
    });
  }

  async find(id: string): Promise<WebhookEndpoint | undefined> {
    const found = await this.#database.entities((em, { WebhookEndpointEntity }) =>
      em.findOne(WebhookEndpointEntity, id),
    );
    return found === null ? undefined : endpointOf(found);
  }

  async list(channelLink: string | undefined): Promise<readonly WebhookEndpoint[]> {
    const where = channelLink === undefined ? {} : { channelLink };
    const order = { orderBy: { createdAt: 'asc', id: 'asc' } } as const;
    const found = await this.#database.entities((em, { WebhookEndpointEntity }) =>
      em.find(WebhookEndpointEntity, where, order),
    );
    return found.map(endpointOf);
  }

  save(changed: WebhookEndpoint, entry: AuditEntry): Promise<'saved' | 'stale' | 'url_taken'> {
    return this.#inChannel(changed, async (em, endpoints, entities) => {
      const { id, url, version } = changed;
      if (endpoints.some((each) => each.url === url && each.id !== id)) return 'url_taken';
      const stored = endpoints.find((each) => each.id === id && each.version === version);
      if (stored === undefined) return 'stale';

      const { failingSince, pausedUntil, version: _, ...content } = rowOf(changed);
      em.assign(stored, {
        ...content,
        // Keeps the failures that are stored now, or clears them.
        failingSince: failingSince && stored.failingSince,
        pausedUntil: pausedUntil && stored.pausedUntil,
      });
      addEntry(em, entities, entry);
      return 'saved';
    });
  }

  remove(id: string, entry: AuditEntry): Promise<'removed' | 'unknown'> {
    return this.#database.entities((em, entities) =>
      em.transactional(async (inside) => {
        const { WebhookEndpointEntity, WebhookReplayEntity } = entities;
        if ((await inside.nativeDelete(WebhookEndpointEntity, id)) === 0) return 'unknown';
        await inside.nativeDelete(WebhookReplayEntity, { endpointId: id });
        addEntry(inside, entities, entry);
        return 'removed';
      }),
    );
  }

  async noteHealth(id: string, version: number, health: EndpointHealth): Promise<void> {
    const { failingSince = null, pausedUntil = null, disabled } = health;
    const [disabledReason, disabledAt] = [disabled?.reason ?? null, disabled?.at ?? null];
    const noted = { failingSince, pausedUntil, disabledReason, disabledAt };
    await this.#database.query(noteHealth, { id, version, ...noted });
  }

  /** Runs `work` on the endpoints of a channel, one after another for each channel. */
  #inChannel<Result>(
    channel: { readonly channelLink: string },
    work: (em: EntityManager, endpoints: readonly Row[], entities: Entities) => Promise<Result>,
  ): Promise<Result> {
    return this.#database.entities((em, entities) =>
      em.transactional(async (inside) => {
        const { channelLink } = channel;
        await queryInside(inside.getTransactionContext() as Executor, lockChannel, { channelLink });
        // Locked, because `noteHealth` does not wait for the channel.
        const endpoints = await inside.find(
          entities.WebhookEndpointEntity,
          { channelLink },
          { lockMode: entities.LockMode.PESSIMISTIC_WRITE },
        );
        return work(inside, endpoints, entities);
      }),
    );
  }
}

type Row = InferEntity<typeof Endpoints>;

/** The endpoint that a row holds. */
const endpointOf = (row: Row): WebhookEndpoint => {
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

const rowOf = (endpoint: WebhookEndpoint) => {
  const { description, disabled, previous, failingSince, pausedUntil, ...required } = endpoint;
  return {
    ...required,
    description: description ?? null,
    disabledReason: disabled?.reason ?? null,
    disabledAt: disabled?.at ?? null,
    previousSecret: previous?.sealedSecret ?? null,
    previousUntil: previous?.until ?? null,
    failingSince: failingSince ?? null,
    pausedUntil: pausedUntil ?? null,
  };
};
