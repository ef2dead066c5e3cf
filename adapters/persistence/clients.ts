import { instantOf } from '#domain';
import type { ApiClient, Clients } from '../../application/identity/clients.ts';
import { briefly } from './briefly.ts';
import type { Database } from './database.ts';
import { guarded, isDuplicate } from './faults.ts';
import { ClientRow } from './rows.ts';

export class DatabaseClients implements Clients {
  readonly #database: Database;
  readonly #load = briefly((clientId: string) => this.#read(clientId));

  constructor(database: Database) {
    this.#database = database;
  }

  async add(client: ApiClient): Promise<'added' | 'duplicate'> {
    try {
      await guarded(() => this.#database.entities().insert(ClientRow, { ...client, createdAt: new Date(client.createdAt) }));
      return 'added';
    } catch (error) {
      if (isDuplicate(error)) return 'duplicate';
      throw error;
    }
  }

  find(clientId: string): Promise<ApiClient | undefined> {
    return this.#load(clientId);
  }

  async isEmpty(): Promise<boolean> {
    return (await guarded(() => this.#database.entities().count(ClientRow, {}))) === 0;
  }

  async #read(clientId: string): Promise<ApiClient | undefined> {
    const row = await guarded(() => this.#database.entities().findOne(ClientRow, { clientId }, { disableIdentityMap: true }));
    return row === null ? undefined : fromRow(row);
  }
}

const fromRow = ({ clientId, name, channelLink, scopes, status, secretHashes, createdAt }: ClientRow): ApiClient => ({
  clientId,
  name,
  channelLink: channelLink ?? null,
  scopes,
  status,
  secretHashes,
  createdAt: instantOf(createdAt),
});
