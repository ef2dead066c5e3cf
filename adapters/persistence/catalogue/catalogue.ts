import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { LRUCache } from 'lru-cache';
import { type Channel, type Instant, instantOf, mergeIofRates, type Product } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueState,
  CurrentCatalogue,
  Versioned,
} from '../../../application/catalogue/catalogue.ts';
import { tellOfChange } from '../engine/change-feed.ts';
import type { Database } from '../engine/database.ts';
import { LocalCopy } from '../engine/local-copy.ts';
import { readAll } from '../engine/unit-of-work.ts';
import { addEntry } from '../operations/audit-log.ts';
import {
  CatalogueVersionEntity,
  ChannelEntity,
  IofRateEntity,
  ProductEntity,
  RevisionEntity,
} from '../schema/entities.ts';

const TOPIC = 'catalogue';

/**
 * Versions in memory, for some seconds: the certificates of a rush need the same ones. No longer,
 * because a server that has taken over may lack the last version, and get another in its place.
 */
const CACHED_VERSIONS = { max: 100, ttl: 10_000 };

interface VersionKey {
  readonly kind: 'product' | 'channel';
  readonly name: string;
  readonly version: number;
}

export class DatabaseCatalogue implements Catalogue {
  readonly #database: Database;
  readonly #copy: LocalCopy<CurrentCatalogue>;
  readonly #versions = new LRUCache<string, Versioned<Product | Channel>>({
    ...CACHED_VERSIONS,
    fetchMethod: async (key) => {
      const found = await this.#database.entities((em) =>
        em.findOne(CatalogueVersionEntity, JSON.parse(key) as VersionKey),
      );
      return found === null ? undefined : versioned(found);
    },
  });

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

  load(): Promise<CatalogueState> {
    return this.#database.entities(async (em) => {
      // First: a change that comes meanwhile makes this state stale, not wrong.
      const { number: revision } = await em.findOneOrFail(RevisionEntity, TOPIC);
      // Before the products: what a channel may sell is then among them.
      const channels = await readAll(em, ChannelEntity, VERSIONED);
      const products = await readAll(em, ProductEntity, VERSIONED);
      const rates = await em.findAll(IofRateEntity, { orderBy: { number: 'asc' } });
      return {
        revision,
        products: products.map(versioned).sort((a, b) => a.definition.id - b.definition.id),
        channels: channels
          .map(versioned)
          .sort((a, b) => (a.definition.channelLink < b.definition.channelLink ? -1 : 1)),
        addedIofRates: rates.map(({ number, validFrom: from, ...rate }) => ({ ...rate, from })),
      };
    });
  }

  async save(
    change: CatalogueChange,
    revision: number,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale'> {
    const saved = await this.#database.entities((em) =>
      em.transactional(async (inside) => {
        const current = await inside.findOne(
          RevisionEntity,
          { topic: TOPIC, number: revision },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        );
        if (current === null) return false;
        await store(inside, change);
        addEntry(inside, entry);
        await tellOfChange(inside, TOPIC);
        return true;
      }),
    );
    await this.#copy.refresh().catch(() => {});
    return saved ? 'saved' : 'stale';
  }

  productVersion(code: string, version: number): Promise<Versioned<Product> | undefined> {
    return this.#version({ kind: 'product', name: code, version });
  }

  channelVersion(channelLink: string, version: number): Promise<Versioned<Channel> | undefined> {
    return this.#version({ kind: 'channel', name: channelLink, version });
  }

  async #version<Definition extends Product | Channel>(
    key: VersionKey,
  ): Promise<Versioned<Definition> | undefined> {
    return (await this.#versions.fetch(JSON.stringify(key))) as Versioned<Definition> | undefined;
  }
}

const VERSIONED = ['definition', 'version', 'updatedAt'] as const;

const versioned = <Definition>({
  definition,
  version,
  updatedAt,
}: Versioned<Definition>): Versioned<Definition> => ({
  definition,
  version,
  updatedAt: instantOf(new Date(updatedAt)),
});

/** Stores a change: the next version of a product or channel, or rows of the IOF table. */
const store = async (em: EntityManager, { kind, definition, at }: CatalogueChange) => {
  if (kind === 'iof_rates') {
    for (const { from: validFrom, ...rate } of definition)
      em.create(IofRateEntity, { ...rate, validFrom, addedAt: at });
    return;
  }

  const [name, version] =
    kind === 'product'
      ? [definition.code, await storeProduct(em, definition, at)]
      : [definition.channelLink, await storeChannel(em, definition, at)];
  em.create(CatalogueVersionEntity, { kind, name, version, definition, updatedAt: at });
};

const storeProduct = async (em: EntityManager, product: Product, updatedAt: Instant) => {
  const { code, id } = product;
  const known = await em.findOne(ProductEntity, code);
  if (known === null)
    em.create(ProductEntity, { code, id, definition: product, version: 1, updatedAt });
  else em.assign(known, { id, definition: product, updatedAt });
  return (known?.version ?? 0) + 1;
};

const storeChannel = async (em: EntityManager, channel: Channel, updatedAt: Instant) => {
  const { channelLink } = channel;
  const known = await em.findOne(ChannelEntity, channelLink);
  if (known === null)
    em.create(ChannelEntity, { channelLink, definition: channel, version: 1, updatedAt });
  else em.assign(known, { definition: channel, updatedAt });
  return (known?.version ?? 0) + 1;
};
