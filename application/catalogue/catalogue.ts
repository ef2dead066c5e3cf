import type {
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
}

/** The catalogue as it is stored. */
export interface CatalogueState {
  /** Counts every change of any product or channel. */
  readonly revision: number;
  /** Sorted by id. */
  readonly products: readonly Versioned<Product>[];
  /** Sorted by link. */
  readonly channels: readonly Versioned<Channel>[];
  /** The rates that operators added to those of the law, the oldest first. */
  readonly addedIofRates: readonly AddedIofRate[];
}

/** A row of the IOF table that an operator added. */
export interface AddedIofRate extends IofRate {
  readonly addedAt: Instant;
}

/** What is sold now, and by which channels. */
export interface CurrentCatalogue {
  /** Sorted by id. */
  readonly products: readonly VersionedProduct[];
  /** The channels by link. */
  readonly channels: ReadonlyMap<string, VersionedChannel>;
  /** The IOF table in force. */
  readonly iofRates: readonly IofRate[];
}

/**
 * A product or channel to store: it replaces the one with its code or link, or is new. Or rows to
 * add to the IOF table.
 */
export type CatalogueChange = { readonly at: Instant } & (
  | { readonly kind: 'product'; readonly definition: Product }
  | { readonly kind: 'channel'; readonly definition: Channel }
  | { readonly kind: 'iof_rates'; readonly definition: readonly IofRate[] }
);

/**
 * The products sold and the channels that sell them.
 *
 * 1. A saved definition is found complete, with its version. Saving under the same code or link
 *    stores the next version; earlier versions are kept.
 * 2. A change is saved over the revision it was made from. Over another revision it is stale and
 *    changes nothing: of several changes made from one revision, exactly one is saved.
 * 3. A change and its audit entry are stored together or not at all.
 * 4. Rows of the IOF table are added, never changed or deleted.
 * 5. `current` reads from memory and sees every change within a second, in every process; `load`
 *    reads the store.
 */
export interface Catalogue {
  current(): Promise<CurrentCatalogue>;
  load(): Promise<CatalogueState>;
  save(change: CatalogueChange, revision: number, entry: AuditEntry): Promise<'saved' | 'stale'>;
  /** A product at a version. */
  productVersion(code: string, version: number): Promise<Versioned<Product> | undefined>;
  channelVersion(channelLink: string, version: number): Promise<Versioned<Channel> | undefined>;
}
