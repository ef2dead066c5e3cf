import { type InferEntity, LockMode, raw } from '@mikro-orm/core';
import { LRUCache } from 'lru-cache';
import { businessDay, type CalendarDate, type Channel, instantOf, type Product } from '#domain';
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
import { addEntry } from '../operations/audit-log.ts';
import { CatalogueVersionEntity, IofRateEntity, RevisionEntity } from '../schema/entities.ts';

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

const COLUMNS = [
  ...(['kind', 'name', 'version', 'definition', 'updatedAt'] as const),
  ...(['effectiveFrom', 'withdrawn'] as const),
] as const;

type StoredVersion = Pick<InferEntity<typeof CatalogueVersionEntity>, (typeof COLUMNS)[number]>;

const versionOf = ({ withdrawn, definition, ...stored }: StoredVersion): CatalogueVersion => {
  const updatedAt = instantOf(new Date(stored.updatedAt));
  const effectiveFrom = stored.effectiveFrom ?? businessDay(updatedAt);
  const own = withdrawn ? null : definition;
  return { ...stored, updatedAt, effectiveFrom, definition: own } as CatalogueVersion;
};

/** What tells the versions of one day. Those that version 1.0.0 stored have none: each is read. */
const day = () => raw('coalesce(effective_from, version::text)');

export class DatabaseCatalogue implements Catalogue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #copy: LocalCopy<(day: CalendarDate) => CatalogueOfDay>;
  readonly #versions = new LRUCache<string, Versioned<Product | Channel>>({
    ...CACHED_VERSIONS,
    fetchMethod: async (key) => {
      const found = await this.#database.entities((em) =>
        em.findOne(CatalogueVersionEntity, JSON.parse(key) as VersionKey),
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

  load(): Promise<CatalogueState> {
    return this.#database.entities(async (em) => {
      // First: a change that comes meanwhile makes this state stale, not wrong.
      const { number: revision } = await em.findOneOrFail(RevisionEntity, TOPIC);
      const rows: readonly StoredVersion[] = await em
        .createQueryBuilder(CatalogueVersionEntity)
        .select([...COLUMNS])
        .distinctOn(['kind', 'name', day() as never])
        .orderBy([{ kind: 'asc' }, { name: 'asc' }, { [day()]: 'asc' }, { version: 'desc' }])
        .execute();
      const rates = await em.findAll(IofRateEntity, { orderBy: { number: 'asc' } });
      return {
        revision,
        versions: rows.map(versionOf),
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
        if (change.kind === 'iof_rates')
          for (const { from: validFrom, ...rate } of change.rows)
            inside.create(IofRateEntity, { ...rate, validFrom, addedAt: change.at });
        else {
          const withdrawn = change.definition === null;
          const definition = change.definition ?? {};
          inside.create(CatalogueVersionEntity, { ...change, definition, withdrawn });
        }
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
