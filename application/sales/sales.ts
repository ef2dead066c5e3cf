import type { Booking, BornSale, Instant, Json, NewSale, Sale } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** The name given to a request, and what the request said: the same name must always say the same. */
export interface Idempotency {
  /** Whose name it is: the client's, for the request, or its channel's, for the sale (`externalSaleId`). */
  readonly owner: 'client' | 'channel';
  readonly key: string;
  readonly content: Json;
}

/** What of it is the name. */
export type RequestName = Pick<Idempotency, 'owner' | 'key'>;

/** Either the sale was registered now, or its name had been used before: then the sale and content of that time. */
export type Registration =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  | { readonly kind: 'duplicate'; readonly earlier: EarlierSale };

export interface EarlierSale {
  readonly sale: Sale;
  readonly content: Json;
  /** The sale as it was when its registration was answered; absent where that has not happened, or the sale was paid as it was born. */
  readonly answered?: Sale;
}

/** The right to ask others something on behalf of a sale: one worker at a time has it, until it is over. */
export interface Lease {
  readonly holder: string;
  readonly until: Instant;
}

/** What goes with a change of a sale. */
export interface Saving {
  /** The holder's lease, to be prolonged; where it is another's by now, nothing is saved. */
  readonly lease?: Lease | undefined;
  /** Whether somebody has to see to what the sale needs next. */
  readonly resume?: boolean | undefined;
  readonly entry?: AuditEntry | undefined;
}

/** Who registers a sale. */
export interface Seller {
  readonly clientId: string;
  readonly channelLink: string;
}

/** The lines of a channel's books with `from` ≤ time < `to`. */
export interface BookQuery {
  readonly channelLink: string;
  readonly from: Instant;
  readonly to: Instant;
}

/** A line of the books, and which sale it is about. */
export interface BookedLine {
  readonly booking: Booking;
  readonly sale: {
    readonly id: number;
    readonly ticket: string;
    readonly externalSaleId?: string;
    readonly productCode: string;
    readonly planCode: string;
  };
}

/** What somebody looks for: sales that fit all that is given. */
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
 * 2. A key belongs to the client that used it, or to its channel: its second use registers nothing and returns the first,
 *    however many run at once.
 * 3. A sale is found only under its own channel, by number, ticket or the channel's name for it; to any other it does not
 *    exist. `load` and `loadByTicket` are for those who serve all channels.
 * 4. A change is saved over the version it was made from and raises it by one; over any other it is stale and changes nothing.
 * 5. A list has the sales that fit, of all channels, the newest first.
 * 6. A lease is one worker's, from registration or claim until it is released, answered or over: whoever else claims is
 *    busy, and whoever saves under a lease that has passed to another has lost it, and saves nothing.
 * 7. A sale registered under a lease, or saved to be resumed, is remembered as one to be resumed, in the same transaction.
 * 8. The sale as its holder answers it first is kept, and ends the lease; what is answered later does not replace it.
 * 9. An audit entry is stored with its change, or neither is.
 * 10. What was booked comes in the order of time, each line once, a limited number in memory at once.
 * 11. The mailing of a certificate that is due is remembered with the change by which it became so, once, whatever follows.
 */
export interface Sales {
  register(sale: NewSale, idempotency?: Idempotency, lease?: Lease): Promise<Registration>;
  findEarlier(seller: Seller, name: RequestName): Promise<EarlierSale | undefined>;
  find(channelLink: string, id: number): Promise<Sale | undefined>;
  findByTicket(channelLink: string, ticket: string): Promise<Sale | undefined>;
  findByExternalId(channelLink: string, externalSaleId: string): Promise<Sale | undefined>;
  load(id: number): Promise<Sale | undefined>;
  loadByTicket(ticket: string): Promise<Sale | undefined>;
  save(changed: Sale, saving?: Saving): Promise<'saved' | 'stale' | 'lost'>;
  claim(id: number, lease: Lease, now: Instant): Promise<Sale | 'busy' | undefined>;
  release(id: number, holder: string): Promise<void>;
  /** Returns what was answered first; `lost`: nothing was, and it is for another to answer. */
  answer(sale: Sale, holder: string): Promise<Sale | 'lost'>;
  list(query: SaleQuery): Promise<readonly Sale[]>;
  booked(query: BookQuery): AsyncIterable<BookedLine>;
}
