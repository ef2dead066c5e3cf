import type { Channel, Instant, Product, VersionedProduct } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** A stored definition. Versions count from 1. */
export interface Versioned<Definition> {
  readonly definition: Definition;
  readonly version: number;
  readonly updatedAt: Instant;
}

/** The current catalogue. */
export interface CatalogueState {
  /** Counts every change of any product or channel. */
  readonly revision: number;
  /** Sorted by id. */
  readonly products: readonly Versioned<Product>[];
  /** Sorted by link. */
  readonly channels: readonly Versioned<Channel>[];
}

/** A product or channel to store: it replaces the one with its code or link, or is new. */
export type CatalogueChange = { readonly at: Instant } & (
  | { readonly kind: 'product'; readonly definition: Product }
  | { readonly kind: 'channel'; readonly definition: Channel }
);

/**
 * The products sold and the channels that sell them.
 *
 * 1. A saved definition is found complete, products with their version. Saving under the same code
 *    or link stores the next version; earlier versions are kept.
 * 2. Products are sorted by id. An unknown channel is undefined.
 * 3. A change is saved over the revision it was made from. Over another revision it is stale and
 *    changes nothing: of several changes made from one revision, exactly one is saved.
 * 4. A change and its audit entry are stored together or not at all.
 * 5. `products` and `channel` read from memory and see every change within a second, in every
 *    process; `present` reads the store.
 */
export interface Catalogue {
  products(): Promise<readonly VersionedProduct[]>;
  channel(channelLink: string): Promise<Channel | undefined>;
  present(): Promise<CatalogueState>;
  save(change: CatalogueChange, revision: number, entry: AuditEntry): Promise<'saved' | 'stale'>;
  /** A product at a version. */
  productVersion(code: string, version: number): Promise<Versioned<Product> | undefined>;
  /** A product at an instant; its first version, if the instant is earlier. */
  productAt(code: string, at: Instant): Promise<Versioned<Product> | undefined>;
  channelVersion(channelLink: string, version: number): Promise<Versioned<Channel> | undefined>;
}
