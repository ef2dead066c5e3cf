import type { InferEntity } from '@mikro-orm/core';
import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type {
  ApiClient,
  ClientQuery,
  ClientRecord,
  Clients,
} from '../../../application/identity/clients.ts';
import { tellOfChange } from '../engine/change-feed.ts';
import type { Database } from '../engine/database.ts';
import { LocalCopy } from '../engine/local-copy.ts';
import { statement } from '../engine/statement.ts';
import { isAdded } from '../engine/unit-of-work.ts';
import { addEntry } from '../operations/audit-log.ts';
import { moment } from '../schema/columns.ts';
import type { ApiClientEntity as ApiClients } from '../schema/entities.ts';

const noteUse = statement<{ clientId: string; at: Instant }>(
  'note-client-use',
  `
    insert into client_use (client_id, last_used_at) values ($clientId, $at)
    on conflict (client_id) do update
    set last_used_at = greatest(client_use.last_used_at, excluded.last_used_at)`,
);

/**
 * All clients, for the copy in memory. Not as entities: ten thousand of those would stop the process
 * for a quarter of a second.
 */
const readClients = statement<Record<never, never>, ApiClient>(
  'read-clients',
  `
    select client_id as "clientId", name, channel_link as "channelLink", scopes, status, secrets,
      generation, created_at as "createdAt", version
    from api_client`,
);

const findAny = statement<Record<never, never>>(
  'find-any-client',
  'select from api_client limit 1',
);

/** Min time between two notes of one client's use. */
const NOTE_USE_MS = 60_000;

export class DatabaseClients implements Clients {
  readonly #database: Database;
  readonly #copy: LocalCopy<ReadonlyMap<string, ApiClient>>;
  /** When each client's use was noted last, ms since 1970. */
  readonly #notedAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
    this.#copy = new LocalCopy<ReadonlyMap<string, ApiClient>>(database, 'clients', async () => {
      const clients = await database.query(readClients, {});
      return new Map(
        clients.map((client) => [
          client.clientId,
          { ...client, createdAt: moment.read(client.createdAt) },
        ]),
      );
    });
  }

  async add(client: ApiClient, entry: AuditEntry): Promise<'added' | 'duplicate'> {
    const added = await this.#database.entities((em, entities) =>
      isAdded(
        em.transactional(async (inside) => {
          inside.create(entities.ApiClientEntity, client);
          addEntry(inside, entities, entry);
          await inside.flush();
          await tellOfChange(inside, 'clients');
        }),
      ),
    );
    await this.#copy.refresh().catch(() => {});
    return added ? 'added' : 'duplicate';
  }

  async save(changed: ApiClient, entry: AuditEntry): Promise<'saved' | 'stale'> {
    const { clientId, version, ...content } = changed;
    const saved = await this.#database.entities((em, entities) =>
      em.transactional(async (inside) => {
        const client = await inside.findOne(
          entities.ApiClientEntity,
          { clientId, version },
          { lockMode: entities.LockMode.PESSIMISTIC_WRITE },
        );
        if (client === null) return false;
        inside.assign(client, content);
        addEntry(inside, entities, entry);
        await inside.flush();
        await tellOfChange(inside, 'clients');
        return true;
      }),
    );
    await this.#copy.refresh().catch(() => {});
    return saved ? 'saved' : 'stale';
  }

  find(clientId: string): ReturnType<Clients['find']> {
    return this.#copy.read((clients) => clients.get(clientId));
  }

  async load(clientId: string): Promise<ClientRecord | undefined> {
    const found = await this.#database.entities((em, { ApiClientEntity }) =>
      em.findOne(ApiClientEntity, clientId, { populate: ['lastUsedAt'] }),
    );
    return found === null ? undefined : recordOf(found);
  }

  list({ status, channelLink, after, limit }: ClientQuery): Promise<readonly ClientRecord[]> {
    return this.#database.entities(async (em, { ApiClientEntity }) => {
      const last = after !== undefined && (await em.findOne(ApiClientEntity, after));
      if (last === null) return [];
      const { items } = await em.findByCursor(ApiClientEntity, {
        where: {
          ...(status !== undefined && { status }),
          ...(channelLink !== undefined && { channelLink }),
        },
        ...(last && { after: { createdAt: last.createdAt, clientId: last.clientId } }),
        orderBy: { createdAt: 'asc', clientId: 'asc' },
        first: limit,
        includeCount: false,
        populate: ['lastUsedAt'],
      });
      return items.map(recordOf);
    });
  }

  noteUse(clientId: string, at: Instant): void {
    const now = Date.parse(at);
    if (now - (this.#notedAt.get(clientId) ?? Number.NEGATIVE_INFINITY) < NOTE_USE_MS) return;
    this.#notedAt.set(clientId, now);
    // If this fails, the next use is noted.
    this.#database.query(noteUse, { clientId, at }).catch(() => this.#notedAt.delete(clientId));
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#database.query(findAny, {})).length === 0;
  }
}

const recordOf = (found: InferEntity<typeof ApiClients>): ClientRecord => {
  const { lastUsedAt, ...client } = found;
  return { client, lastUsedAt: lastUsedAt ?? null };
};
