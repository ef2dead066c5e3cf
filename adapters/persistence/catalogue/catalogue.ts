import type { InferEntity } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import { businessDay, type CalendarDate, type Channel, type Product } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type {
  Catalogue,
  CatalogueChange,
  CatalogueOfDay,
  CatalogueState,
  CatalogueVersion,
  Versioned,
} from '../../../application/catalogue/catalogue.ts';
import { catalogueByDay } from '../../../application/catalogue/versions.ts';
import type { Clock } from '../../../application/clock.ts';
import { tellOfChange } from '../engine/change-feed.ts';
import type { Database } from '../engine/database.ts';
import { LocalCopy } from '../engine/local-copy.ts';
import { statement } from '../engine/statement.ts';
import { addEntry } from '../operations/audit-log.ts';
import { moment } from '../schema/columns.ts';
import type { CatalogueVersionEntity, IofRateEntity } from '../schema/entities.ts';

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

type StoredVersion = InferEntity<typeof CatalogueVersionEntity>;
type StoredRate = InferEntity<typeof IofRateEntity>;

// Each start reads these: as statements, because entities would load MikroORM.

const readRevision = statement<{ topic: string }, { readonly number: string }>(
  'read-revision',
  'select number::text from revision where topic = $topic',
);

/**
 * Reads the last version of each product and channel for each day. The versions that 1.0.0 stored
 * have no day, and are all read.
 */
const readVersions = statement<Record<never, never>, StoredVersion>(
  'read-versions',
  `
    select distinct on (kind, name, coalesce(effective_from, version::text))
      kind, name, version, definition, updated_at as "updatedAt", effective_from as "effectiveFrom",
      withdrawn
    from catalogue_version
    order by kind, name, coalesce(effective_from, version::text), version desc`,
);

const readRates = statement<
  Record<never, never>,
  Omit<StoredRate, 'number' | 'validFrom'> & { readonly from: CalendarDate }
>(
  'read-iof-rates',
  `
    select iof_class as "iofClass", valid_from as "from", rate, legal_basis as "legalBasis",
      added_at as "addedAt"
    from iof_rate order by number`,
);

const versionOf = ({ withdrawn, definition, ...stored }: StoredVersion): CatalogueVersion => {
  const updatedAt = moment.read(stored.updatedAt);
  const effectiveFrom = stored.effectiveFrom ?? businessDay(updatedAt);
  const own = withdrawn ? null : definition;
  return { ...stored, updatedAt, effectiveFrom, definition: own } as CatalogueVersion;
};

export class DatabaseCatalogue implements Catalogue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #copy: LocalCopy<(day: CalendarDate) => CatalogueOfDay>;
  readonly #versions = new LRUCache<string, Versioned<Product | Channel>>({
    ...CACHED_VERSIONS,
    fetchMethod: async (key) => {
      const found = await this.#database.entities((em, entities) =>
        em.findOne(entities.CatalogueVersionEntity, JSON.parse(key) as VersionKey),
      );
      if (found === null || found.withdrawn) return undefined;
      const { kind, name, ...versioned } = versionOf({ ...found } as StoredVersion);
      return versioned as Versioned<Product | Channel>;
    },
  });

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#copy = new LocalCopy(database, 'catalogue', async () =>
      catalogueByDay(await this.load()),
    );
  }

  async current(): Promise<CatalogueOfDay> {
    return this.on(this.#clock.today());
  }

  async on(day: CalendarDate): Promise<CatalogueOfDay> {
    return this.#copy.read((catalogueOn) => catalogueOn(day));
  }

  async load(): Promise<CatalogueState> {
    const { query } = this.#database;
    // First: a change that comes meanwhile makes this state stale, not wrong.
    const [counted] = await query(readRevision, { topic: TOPIC });
    const rows = await query(readVersions, {});
    const rates = await query(readRates, {});
    return {
      revision: Number(counted?.number),
      versions: rows.map(versionOf),
      addedIofRates: rates.map((rate) => ({ ...rate, addedAt: moment.read(rate.addedAt) })),
    };
  }

  async save(
    change: CatalogueChange,
    revision: number,
    entry: AuditEntry,
  ): Promise<'saved' | 'stale'> {
    const saved = await this.#database.entities((em, entities) =>
      em.transactional(async (inside) => {
        const { CatalogueVersionEntity, IofRateEntity, LockMode, RevisionEntity } = entities;
        const current = await inside.findOne(
          RevisionEntity,
          { topic: TOPIC, number: revision },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        );
        if (current === null) return false;
        if (change.kind === 'iof_rates')
          for (const { from: validFrom, ...rate } of change.rows)
            inside.create(IofRateEntity, { ...rate, validFrom, addedAt: change.at });
        else {
          const withdrawn = change.definition === null;
          const definition = change.definition ?? {};
          inside.create(CatalogueVersionEntity, { ...change, definition, withdrawn });
        }
        addEntry(inside, entities, entry);
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
