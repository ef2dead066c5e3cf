import type { Channel, Product } from '#domain';
import type { Catalogue } from '../../application/catalogue/catalogue.ts';
import { briefly } from './briefly.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { ChannelRow, ProductRow } from './rows.ts';

export class DatabaseCatalogue implements Catalogue {
  readonly #database: Database;
  readonly #loadProducts = briefly(() => this.#readProducts());
  readonly #loadChannel = briefly((channelLink: string) => this.#readChannel(channelLink));

  constructor(database: Database) {
    this.#database = database;
  }

  async products(): Promise<readonly Product[]> {
    return (await this.#loadProducts('all')) ?? [];
  }

  channel(channelLink: string): Promise<Channel | undefined> {
    return this.#loadChannel(channelLink);
  }

  async putProduct(definition: Product): Promise<void> {
    const { code, id } = definition;
    await guarded(() => this.#database.entities().upsert(ProductRow, { code, id, definition }));
  }

  async putChannel(definition: Channel): Promise<void> {
    const { channelLink } = definition;
    await guarded(() => this.#database.entities().upsert(ChannelRow, { channelLink, definition }));
  }

  async #readProducts(): Promise<readonly Product[]> {
    const options = { orderBy: { id: 'asc' as const }, disableIdentityMap: true };
    const rows = await guarded(() => this.#database.entities().findAll(ProductRow, options));
    return rows.map(({ definition }) => definition);
  }

  async #readChannel(channelLink: string): Promise<Channel | undefined> {
    const row = await guarded(() => this.#database.entities().findOne(ChannelRow, { channelLink }, { disableIdentityMap: true }));
    return row?.definition;
  }
}
