import type {
  CalendarDate,
  Channel,
  Instant,
  IofRate,
  Product,
  VersionedChannel,
  VersionedProduct,
} from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** A stored definition. Versions count from 1. */
export interface Versioned<Definition> {
  readonly definition: Definition;
  readonly version: number;
  readonly updatedAt: Instant;
  /** The first day in São Paulo on which it is in force: that of `updatedAt`, or a later one. */
  readonly effectiveFrom: CalendarDate;
}

/**
 * A version of a product or channel. `name`: its code or link. `definition` null: what was announced
 * for that day is withdrawn.
 */
export type CatalogueVersion = { readonly name: string } & (
  | ({ readonly kind: 'product' } & Versioned<Product | null>)
  | ({ readonly kind: 'channel' } & Versioned<Channel | null>)
);

/** The catalogue as it is stored. */
export interface CatalogueState {
  /** Counts every change of any product or channel. */
  readonly revision: number;
  /** The last version of each product and channel that was stored for each day, in no order. */
  readonly versions: readonly CatalogueVersion[];
  /** The rates that operators added to those of the law, the oldest first. */
  readonly addedIofRates: readonly AddedIofRate[];
}

/** A row of the IOF table that an operator added. */
export interface AddedIofRate extends IofRate {
  readonly addedAt: Instant;
}

/** What is sold on a day, and by which channels. */
export interface CatalogueOfDay {
  /** Sorted by id. */
  readonly products: readonly VersionedProduct[];
  /** The channels by link. */
  readonly channels: ReadonlyMap<string, VersionedChannel>;
  /** The whole IOF table. */
  readonly iofRates: readonly IofRate[];
}

/** The next version of a product or channel, or rows to add to the IOF table. */
export type CatalogueChange =
  | CatalogueVersion
  | { readonly kind: 'iof_rates'; readonly rows: readonly IofRate[]; readonly at: Instant };

/**
 * The products sold and the channels that sell them.
 *
 * 1. A saved version is found complete. Versions of the same code or link are kept, and never
 *    change.
 * 2. A change is saved over the revision it was made from. Over another revision it is stale and
 *    changes nothing: of several changes made from one revision, exactly one is saved.
 * 3. A change and its audit entry are stored together or not at all.
 * 4. Rows of the IOF table are added, never changed or deleted.
 * 5. `on` gives what is in force on a day: of each product and channel the version with the latest
 *    `effectiveFrom` up to that day, and of those with the same day the highest. What a channel paid
 *    for before its product or channel was stored here gets the first version, unless that one was
 *    announced ahead. `current` is `on` today.
 * 6. `on` and `current` read from memory and see every change within a second, in every process. A
 *    version that was announced is in force at midnight in São Paulo without a further message.
 *    `load` reads the store.
 */
export interface Catalogue {
  current(): Promise<CatalogueOfDay>;
  on(day: CalendarDate): Promise<CatalogueOfDay>;
  load(): Promise<CatalogueState>;
  save(change: CatalogueChange, revision: number, entry: AuditEntry): Promise<'saved' | 'stale'>;
  /** A product at a version. */
  productVersion(code: string, version: number): Promise<Versioned<Product> | undefined>;
  channelVersion(channelLink: string, version: number): Promise<Versioned<Channel> | undefined>;
}
