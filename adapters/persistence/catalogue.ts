import {
  type Channel,
  type Instant,
  instantOf,
  type Product,
  type VersionedProduct,
} from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueState,
  Versioned,
} from '../../application/catalogue/catalogue.ts';
import { entryFor, entryJson } from './audit-log.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { Replica } from './replica.ts';
import { CatalogueVersionRow } from './rows.ts';

/** Puts a row into its table, keeps it as a version and writes the entry, if the revision is still the one it was made from. */
const putInto = (insert: string): string => `
  with held as (
    select from revision where topic = 'catalogue' and number = $4 for update
  ), put as (${insert} returning version
  ), kept as (
    insert into catalogue_version (kind, name, version, definition, updated_at) select $6, $1, version, $2, $3 from put
  ), entry as (${entryFor('put', '$5')})
  select version from put`;

const putProduct = {
  name: 'put-product',
  text: putInto(`
    insert into product (code, definition, updated_at, id, version)
    select $1, $2, $3, ($2::jsonb->>'id')::integer, 1 from held
    on conflict (code) do update
    set id = excluded.id, definition = excluded.definition, updated_at = excluded.updated_at, version = product.version + 1`),
};

const putChannel = {
  name: 'put-channel',
  text: putInto(`
    insert into channel (channel_link, definition, updated_at, version) select $1, $2, $3, 1 from held
    on conflict (channel_link) do update
    set definition = excluded.definition, updated_at = excluded.updated_at, version = channel.version + 1`),
};

const present = {
  name: 'present-catalogue',
  text: `
    select number::int as revision,
      (select coalesce(json_agg(json_build_object('definition', definition, 'version', version, 'updatedAt', updated_at) order by id), '[]')
        from product) as products,
      (select coalesce(json_agg(json_build_object('definition', definition, 'version', version, 'updatedAt', updated_at) order by channel_link collate "C"), '[]')
        from channel) as channels
    from revision where topic = 'catalogue'`,
};

/** The last version up to a moment; where there was none yet, the first one. */
const versionAt = {
  name: 'catalogue-version-at',
  text: `
    select version from catalogue_version where kind = 'product' and name = $1
    order by updated_at <= $2 desc, case when updated_at <= $2 then version else -version end desc limit 1`,
};

interface Remembered {
  readonly products: readonly VersionedProduct[];
  readonly channels: ReadonlyMap<string, Channel>;
}

export class DatabaseCatalogue implements Catalogue {
  readonly #database: Database;
  readonly #known: Replica<Remembered>;

  constructor(database: Database) {
    this.#database = database;
    this.#known = new Replica<Remembered>(database, 'catalogue', async () => {
      const { products, channels } = await this.present();
      return {
        products: products.map(({ definition, version }) => ({ ...definition, version })),
        channels: new Map(channels.map(({ definition }) => [definition.channelLink, definition])),
      };
    });
  }

  async products(): Promise<readonly VersionedProduct[]> {
    return (await this.#known.current()).products;
  }

  async channel(channelLink: string): Promise<Channel | undefined> {
    return (await this.#known.current()).channels.get(channelLink);
  }

  async present(): Promise<CatalogueState> {
    const [state] = await this.#database.run<CatalogueState>(present, []);
    if (state === undefined) throw new Error('the catalogue has lost its revision');
    return { ...state, products: state.products.map(timed), channels: state.channels.map(timed) };
  }

  async save(
    change: CatalogueChange,
    revision: number,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale'> {
    const { at, kind, definition } = change;
    const [statement, name] =
      change.kind === 'product'
        ? [putProduct, change.definition.code]
        : [putChannel, change.definition.channelLink];
    const values = [name, JSON.stringify(definition), at, revision, entryJson(entry), kind];
    const put = await this.#database.run(statement, values);
    await this.#known.refresh().catch(() => {});
    return put.length === 1 ? 'saved' : 'stale';
  }

  async productVersion(code: string, version: number): Promise<Versioned<Product> | undefined> {
    const found = await this.#version<Product>('product', code, version);
    // What was put before products had a schema of attributes had none.
    return (
      found && {
        ...found,
        definition: { ...found.definition, attributes: found.definition.attributes ?? {} },
      }
    );
  }

  async productAt(code: string, at: Instant): Promise<Versioned<Product> | undefined> {
    const [row] = await this.#database.run<{ version: number }>(versionAt, [code, at]);
    return row && this.productVersion(code, row.version);
  }

  channelVersion(channelLink: string, version: number): Promise<Versioned<Channel> | undefined> {
    return this.#version('channel', channelLink, version);
  }

  async #version<Definition extends Product | Channel>(
    kind: 'product' | 'channel',
    name: string,
    version: number,
  ): Promise<Versioned<Definition> | undefined> {
    const where = { kind, name, version };
    const row = await guarded(() =>
      this.#database.entities().findOne(CatalogueVersionRow, where, { disableIdentityMap: true }),
    );
    return row === null
      ? undefined
      : { definition: row.definition as Definition, version, updatedAt: instantOf(row.updatedAt) };
  }
}

/** PostgreSQL's JSON spells an instant in its own way. */
const timed = <Definition>(versioned: Versioned<Definition>): Versioned<Definition> => ({
  ...versioned,
  updatedAt: instantOf(new Date(versioned.updatedAt)),
});
