import type { Instant } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  ApiClient,
  ClientQuery,
  ClientRecord,
  ClientStatus,
  Clients,
} from '../../application/identity/clients.ts';
import { entryFor, entryJson } from './audit-log.ts';
import { columnNames, nullable, parameters, rowReader, rowWriter, selection } from './columns.ts';
import type { Database } from './database.ts';
import { LocalCopy } from './local-copy.ts';
import { statement } from './statement.ts';
import { CLIENT, CLIENT_USE } from './tables.ts';

type ClientValues = Record<keyof typeof CLIENT | 'entry', unknown>;

const addClient = statement<ClientValues>(
  'add-client',
  `
    with added as (
      insert into api_client (${columnNames(CLIENT)}) values (${parameters(CLIENT)})
      on conflict (client_id) do nothing
      returning client_id
    ), entry as (${entryFor('added')})
    select client_id from added`,
);

const saveClient = statement<ClientValues>(
  'save-client',
  `
    with saved as (
      update api_client
      set name = $name, channel_link = $channelLink, scopes = $scopes, status = $status,
        secrets = $secrets, generation = $generation, version = version + 1
      where client_id = $clientId and version = $version
      returning client_id
    ), entry as (${entryFor('saved')})
    select client_id from saved`,
);

const loadAll = statement<Record<string, never>>(
  'all-clients',
  `select ${selection(CLIENT)} from api_client`,
);

/** A client and when it was used last; null where it never was. */
const CLIENT_WITH_USE = { ...CLIENT, lastUsedAt: nullable(CLIENT_USE.lastUsedAt) };

const selectWithUse = `
  select ${selection(CLIENT_WITH_USE)} from api_client left join client_use using (client_id)`;

const loadClient = statement<{ clientId: string }>(
  'load-client',
  `${selectWithUse} where client_id = $clientId`,
);

const listClients = statement<{
  status: ClientStatus | null;
  after: string | null;
  limit: number;
}>(
  'list-clients',
  `
    ${selectWithUse}
    where ($status::text is null or status = $status)
      and ($after::text is null or (created_at, client_id) >
        (select created_at, client_id from api_client where client_id = $after))
    order by created_at, client_id limit $limit`,
);

const noteUse = statement<{ clientId: string; at: Instant }>(
  'note-client-use',
  `
    insert into client_use (client_id, last_used_at) values ($clientId, $at)
    on conflict (client_id) do update
    set last_used_at = greatest(client_use.last_used_at, excluded.last_used_at)`,
);

const hasNoClients = statement<Record<string, never>, { isEmpty: boolean }>(
  'no-clients',
  'select not exists (select from api_client) as "isEmpty"',
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
      const clients = (await database.query(loadAll, {})).map(readClient);
      return new Map(clients.map((client) => [client.clientId, client]));
    });
  }

  async add(client: ApiClient, entry: AuditEntry): Promise<'added' | 'duplicate'> {
    const values = { ...writeClient(client), entry: entryJson(entry) };
    const added = await this.#database.query(addClient, values);
    await this.#copy.refresh().catch(() => {});
    return added.length === 1 ? 'added' : 'duplicate';
  }

  async save(changed: ApiClient, entry: AuditEntry): Promise<'saved' | 'stale'> {
    const values = { ...writeClient(changed), entry: entryJson(entry) };
    const saved = await this.#database.query(saveClient, values);
    await this.#copy.refresh().catch(() => {});
    return saved.length === 1 ? 'saved' : 'stale';
  }

  find(clientId: string): ReturnType<Clients['find']> {
    return this.#copy.read((clients) => clients.get(clientId));
  }

  async load(clientId: string): Promise<ClientRecord | undefined> {
    const [row] = await this.#database.query(loadClient, { clientId });
    return row && recordOf(row);
  }

  async list({ status, after, limit }: ClientQuery): Promise<readonly ClientRecord[]> {
    const query = { status: status ?? null, after: after ?? null, limit };
    return (await this.#database.query(listClients, query)).map(recordOf);
  }

  noteUse(clientId: string, at: Instant): void {
    const now = Date.parse(at);
    if (now - (this.#notedAt.get(clientId) ?? Number.NEGATIVE_INFINITY) < NOTE_USE_MS) return;
    this.#notedAt.set(clientId, now);
    // If this fails, the next use is noted.
    this.#database.query(noteUse, { clientId, at }).catch(() => this.#notedAt.delete(clientId));
  }

  async isEmpty(): Promise<boolean> {
    const [row] = await this.#database.query(hasNoClients, {});
    return row?.isEmpty === true;
  }
}

const readClient = rowReader(CLIENT);
const readClientWithUse = rowReader(CLIENT_WITH_USE);
const writeClient = rowWriter(CLIENT);

const recordOf = (row: object): ClientRecord => {
  const { lastUsedAt, ...client } = readClientWithUse(row);
  return { client, lastUsedAt };
};
