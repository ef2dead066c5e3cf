import { type Channel, type Instant, instantOf, mergeIofRates, type Product } from '#domain';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueState,
  CurrentCatalogue,
  Versioned,
} from '../../application/catalogue/catalogue.ts';
import { entryFor, entryJson } from './audit-log.ts';
import { pick, rowReader, selection } from './columns.ts';
import type { Database } from './database.ts';
import { LocalCopy } from './local-copy.ts';
import { statement } from './statement.ts';
import { CATALOGUE_VERSION } from './tables.ts';

interface SaveValues {
  readonly name: string;
  readonly definition: string;
  readonly at: Instant;
  readonly revision: number;
  readonly entry: string;
  readonly kind: CatalogueChange['kind'];
}

/**
 * Stores a product or channel, its version and the audit entry, if the catalogue's revision is
 * still `$revision`.
 */
const saveInto = (insert: string): string => `
  with current as (
    select from revision where topic = 'catalogue' and number = $revision for update
  ), saved as (${insert} returning version
  ), kept as (
    insert into catalogue_version (kind, name, version, definition, updated_at)
    select $kind, $name, version, $definition, $at from saved
  ), entry as (${entryFor('saved')})
  select version from saved`;

const saveProduct = statement<SaveValues>(
  'put-product',
  saveInto(`
    insert into product (code, definition, updated_at, id, version)
    select $name, $definition, $at, ($definition::jsonb->>'id')::integer, 1 from current
    on conflict (code) do update
    set id = excluded.id, definition = excluded.definition, updated_at = excluded.updated_at,
      version = product.version + 1`),
);

const saveChannel = statement<SaveValues>(
  'put-channel',
  saveInto(`
    insert into channel (channel_link, definition, updated_at, version)
    select $name, $definition, $at, 1 from current
    on conflict (channel_link) do update
    set definition = excluded.definition, updated_at = excluded.updated_at,
      version = channel.version + 1`),
);

const saveIofRates = statement<SaveValues>(
  'put-iof-rates',
  `
    with current as (
      select from revision where topic = 'catalogue' and number = $revision for update
    ), saved as (
      insert into iof_rate (iof_class, valid_from, rate, legal_basis, added_at)
      select given."iofClass", given."from", given.rate, given."legalBasis", $at
      from current, jsonb_to_recordset($definition::jsonb)
        as given ("iofClass" text, "from" text, rate integer, "legalBasis" text)
      returning number
    ), entry as (${entryFor('(select from saved limit 1) as one')})
    select 1 as version from saved limit 1`,
);

const definitionsIn = (table: string, order: string): string => `
  (select coalesce(json_agg(
      json_build_object('definition', definition, 'version', version, 'updatedAt', updated_at)
      order by ${order}), '[]')
    from ${table})`;

const readCatalogue = statement<Record<string, never>, CatalogueState>(
  'present-catalogue',
  `
    select number::int as revision,
      ${definitionsIn('product', 'id')} as products,
      ${definitionsIn('channel', 'channel_link collate "C"')} as channels,
      (select coalesce(json_agg(
          json_build_object('iofClass', iof_class, 'from', valid_from, 'rate', rate,
            'legalBasis', legal_basis, 'addedAt', added_at)
          order by number), '[]')
        from iof_rate) as "addedIofRates"
    from revision where topic = 'catalogue'`,
);

/** The last version up to a time; if there was none yet, the first version. */
const findVersionAt = statement<{ code: string; at: Instant }, { readonly version: number }>(
  'catalogue-version-at',
  `
    select version from catalogue_version where kind = 'product' and name = $code
    order by updated_at <= $at desc, case when updated_at <= $at then version else -version end desc
    limit 1`,
);

const VERSION = pick(CATALOGUE_VERSION, 'definition', 'updatedAt');

const readVersion = rowReader(VERSION);

const findVersion = statement<{
  readonly kind: 'product' | 'channel';
  readonly name: string;
  readonly version: number;
}>(
  'catalogue-version',
  `
    select ${selection(VERSION)} from catalogue_version
    where kind = $kind and name = $name and version = $version`,
);

export class DatabaseCatalogue implements Catalogue {
  readonly #database: Database;
  readonly #copy: LocalCopy<CurrentCatalogue>;

  constructor(database: Database) {
    this.#database = database;
    this.#copy = new LocalCopy<CurrentCatalogue>(database, 'catalogue', async () => {
      const { products, channels, addedIofRates } = await this.load();
      return {
        iofRates: mergeIofRates(addedIofRates),
        products: products.map(({ definition, version }) => ({ ...definition, version })),
        channels: new Map(
          channels.map(({ definition, version }) => [
            definition.channelLink,
            { ...definition, version },
          ]),
        ),
      };
    });
  }

  async current(): Promise<CurrentCatalogue> {
    return this.#copy.read((catalogue) => catalogue);
  }

  async load(): Promise<CatalogueState> {
    const [state] = await this.#database.query(readCatalogue, {});
    if (state === undefined) throw new Error('the catalogue has no revision');
    return {
      ...state,
      products: state.products.map(withInstant),
      channels: state.channels.map(withInstant),
      addedIofRates: state.addedIofRates.map(({ addedAt, ...row }) => ({
        ...row,
        addedAt: instantOf(new Date(addedAt)),
      })),
    };
  }

  async save(
    change: CatalogueChange,
    revision: number,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale'> {
    const { at, kind, definition } = change;
    const [statement, name] = writingOf(change);
    const saved = await this.#database.query(statement, {
      name,
      definition: JSON.stringify(definition),
      at,
      revision,
      entry: entryJson(entry),
      kind,
    });
    await this.#copy.refresh().catch(() => {});
    return saved.length === 1 ? 'saved' : 'stale';
  }

  async productVersion(code: string, version: number): Promise<Versioned<Product> | undefined> {
    const found = await this.#version<Product>('product', code, version);
    // Versions before migration 0005 have no schema of attributes.
    return (
      found && {
        ...found,
        definition: { ...found.definition, attributes: found.definition.attributes ?? {} },
      }
    );
  }

  async productAt(code: string, at: Instant): Promise<Versioned<Product> | undefined> {
    const [row] = await this.#database.query(findVersionAt, { code, at });
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
    const [row] = await this.#database.query(findVersion, { kind, name, version });
    if (row === undefined) return undefined;
    const { definition, updatedAt } = readVersion(row);
    return { definition: definition as Definition, version, updatedAt };
  }
}

const writingOf = (change: CatalogueChange) => {
  if (change.kind === 'product') return [saveProduct, change.definition.code] as const;
  if (change.kind === 'channel') return [saveChannel, change.definition.channelLink] as const;
  return [saveIofRates, ''] as const;
};

/** In PostgreSQL's JSON a time has another format than an `Instant`. */
const withInstant = <Definition>(versioned: Versioned<Definition>): Versioned<Definition> => ({
  ...versioned,
  updatedAt: instantOf(new Date(versioned.updatedAt)),
});
