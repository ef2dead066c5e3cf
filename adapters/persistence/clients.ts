import { type Instant, instantOf } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  ApiClient,
  ClientQuery,
  ClientRecord,
  Clients,
} from '../../application/identity/clients.ts';
import { entryFor, entryJson } from './audit-log.ts';
import type { Database } from './database.ts';
import { Replica } from './replica.ts';

const add = {
  name: 'add-client',
  text: `
    with added as (
      insert into api_client (client_id, name, channel_link, scopes, status, secrets, generation, created_at, version)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      on conflict (client_id) do nothing
      returning client_id
    ), entry as (${entryFor('added', '$10')})
    select client_id from added`,
};

const save = {
  name: 'save-client',
  text: `
    with saved as (
      update api_client
      set name = $2, channel_link = $3, scopes = $4, status = $5, secrets = $6, generation = $7, version = version + 1
      where client_id = $1 and version = $8
      returning client_id
    ), entry as (${entryFor('saved', '$9')})
    select client_id from saved`,
};

const COLUMNS = `client_id, name, channel_link, scopes, status, secrets, generation, created_at, version`;

const all = {
  name: 'all-clients',
  text: `select ${COLUMNS}, null as last_used_at from api_client`,
};

const load = {
  name: 'load-client',
  text: `select ${COLUMNS}, last_used_at from api_client left join client_use using (client_id) where client_id = $1`,
};

const list = {
  name: 'list-clients',
  text: `
    select ${COLUMNS}, last_used_at from api_client left join client_use using (client_id)
    where ($1::text is null or status = $1)
      and ($2::text is null or (created_at, client_id) > (select created_at, client_id from api_client where client_id = $2))
    order by created_at, client_id limit $3`,
};

const noteUse = {
  name: 'note-client-use',
  text: `
    insert into client_use (client_id, last_used_at) values ($1, $2)
    on conflict (client_id) do update set last_used_at = greatest(client_use.last_used_at, excluded.last_used_at)`,
};

const isEmpty = { name: 'no-clients', text: 'select not exists (select from api_client) as empty' };

/** Milliseconds between two notes of one client's use. */
const NOTE_EVERY = 60_000;

interface Row {
  readonly client_id: string;
  readonly name: string;
  readonly channel_link: string | null;
  readonly scopes: ApiClient['scopes'];
  readonly status: ApiClient['status'];
  readonly secrets: ApiClient['secrets'];
  readonly generation: number;
  readonly created_at: Date;
  readonly version: number;
  readonly last_used_at: Date | null;
}

export class DatabaseClients implements Clients {
  readonly #database: Database;
  readonly #known: Replica<ReadonlyMap<string, ApiClient>>;
  readonly #noted = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
    this.#known = new Replica<ReadonlyMap<string, ApiClient>>(database, 'clients', async () => {
      const rows = await database.run<Row>(all, []);
      return new Map(rows.map((row) => [row.client_id, fromRow(row)]));
    });
  }

  async add(client: ApiClient, entry: AuditEntry): Promise<'added' | 'duplicate'> {
    const { clientId, generation, createdAt, version } = client;
    const values = [
      clientId,
      ...changeable(client),
      generation,
      createdAt,
      version,
      entryJson(entry),
    ];
    const added = await this.#database.run(add, values);
    await this.#known.refresh().catch(() => {});
    return added.length === 1 ? 'added' : 'duplicate';
  }

  async save(changed: ApiClient, entry: AuditEntry): Promise<'saved' | 'stale'> {
    const { clientId, generation, version } = changed;
    const saved = await this.#database.run(save, [
      clientId,
      ...changeable(changed),
      generation,
      version,
      entryJson(entry),
    ]);
    await this.#known.refresh().catch(() => {});
    return saved.length === 1 ? 'saved' : 'stale';
  }

  async find(clientId: string): Promise<ApiClient | undefined> {
    return (await this.#known.current()).get(clientId);
  }

  async load(clientId: string): Promise<ClientRecord | undefined> {
    const [row] = await this.#database.run<Row>(load, [clientId]);
    return row && recordOf(row);
  }

  async list({ status, after, limit }: ClientQuery): Promise<readonly ClientRecord[]> {
    return (await this.#database.run<Row>(list, [status ?? null, after ?? null, limit])).map(
      recordOf,
    );
  }

  noteUse(clientId: string, at: Instant): void {
    const now = Date.parse(at);
    if (now - (this.#noted.get(clientId) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY) return;
    this.#noted.set(clientId, now);
    // A use that goes unnoted is noted with one of the next.
    this.#database.run(noteUse, [clientId, at]).catch(() => this.#noted.delete(clientId));
  }

  async isEmpty(): Promise<boolean> {
    const [row] = await this.#database.run<{ empty: boolean }>(isEmpty, []);
    return row?.empty === true;
  }
}

const changeable = ({ name, channelLink, scopes, status, secrets }: ApiClient): unknown[] => [
  name,
  channelLink,
  JSON.stringify(scopes),
  status,
  JSON.stringify(secrets),
];

const fromRow = ({
  client_id,
  name,
  channel_link,
  scopes,
  status,
  secrets,
  generation,
  created_at,
  version,
}: Row): ApiClient => ({
  ...{ clientId: client_id, name, channelLink: channel_link, scopes, status, secrets, generation },
  createdAt: instantOf(new Date(created_at)),
  version,
});

const recordOf = (row: Row): ClientRecord => ({
  client: fromRow(row),
  lastUsedAt: row.last_used_at && instantOf(new Date(row.last_used_at)),
});
