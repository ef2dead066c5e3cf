import type { BornSale, Instant, NewSale, Sale } from '#domain';
import type { Json } from '../json.ts';

/** The name a client gave to a request, and what the request said: the same name must always say the same. */
export interface Idempotency {
  readonly key: string;
  readonly content: Json;
}

/** Either the sale was registered now, or its client had used the key before: then the sale and content of that time. */
export type Registration =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  | { readonly kind: 'duplicate'; readonly earlier: EarlierSale };

export interface EarlierSale {
  readonly sale: Sale;
  readonly content: Json;
}

/** What an administrator looks for: sales that fit all that is given. */
export interface SaleQuery {
  readonly channelLink?: string | undefined;
  readonly productCode?: string | undefined;
  readonly status?: Sale['status'] | undefined;
  /** Registered not before, and before. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Only sales with a smaller number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * The sales register.
 *
 * 1. A registered sale has a number of its own and version 1, and is found again whole.
 * 2. A key belongs to the client that used it: its second use registers nothing and returns the first, however many run at once.
 * 3. A sale is found only under its own channel; to any other it does not exist.
 * 4. A change is saved over the version it was made from and raises it by one; over any other it is stale and changes nothing.
 * 5. A list has the sales that fit, of all channels, the newest first.
 */
export interface Sales {
  register(sale: NewSale, idempotency?: Idempotency): Promise<Registration>;
  findEarlier(clientId: string, key: string): Promise<EarlierSale | undefined>;
  find(channelLink: string, id: number): Promise<Sale | undefined>;
  save(changed: Sale): Promise<'saved' | 'stale'>;
  list(query: SaleQuery): Promise<readonly Sale[]>;
}
