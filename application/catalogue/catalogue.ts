import type { Channel, Instant, Product, VersionedProduct } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** A definition as it was put, and when; versions count from 1. */
export interface Versioned<Definition> {
  readonly definition: Definition;
  readonly version: number;
  readonly updatedAt: Instant;
}

/** All that is sold, and by whom, as it is now. */
export interface CatalogueState {
  /** Counted up by every change of any part. */
  readonly revision: number;
  /** In the order of their ids. */
  readonly products: readonly Versioned<Product>[];
  /** In the order of their links. */
  readonly channels: readonly Versioned<Channel>[];
}

/** A product or channel that takes the place of the one with its code or link, or is new. */
export type CatalogueChange = { readonly at: Instant } & (
  | { readonly kind: 'product'; readonly definition: Product }
  | { readonly kind: 'channel'; readonly definition: Channel }
);

/**
 * The products sold and the channels that sell them.
 *
 * 1. What was saved is found, the whole of it, products with the number of their version; what is saved again under the same code or link takes its place as the
 *    next version, and earlier versions are kept.
 * 2. Products come in the order of their ids. An unknown channel is undefined.
 * 3. A change is saved over the revision it was made from; over any other it is stale and changes nothing: of changes
 *    made at once from one revision, exactly one is saved.
 * 4. A change is stored together with its audit entry, or neither is.
 * 5. `products` and `channel` ask no store, and see every change within a second, whichever process made it; `present`
 *    sees what is there now.
 */
export interface Catalogue {
  products(): Promise<readonly VersionedProduct[]>;
  channel(channelLink: string): Promise<Channel | undefined>;
  present(): Promise<CatalogueState>;
  save(change: CatalogueChange, revision: number, entry: AuditEntry): Promise<'saved' | 'stale'>;
  /** One product or channel as it was at a version. */
  productVersion(code: string, version: number): Promise<Versioned<Product> | undefined>;
  /** A product as it was at a moment: the first one, where it came later. */
  productAt(code: string, at: Instant): Promise<Versioned<Product> | undefined>;
  channelVersion(channelLink: string, version: number): Promise<Versioned<Channel> | undefined>;
}
