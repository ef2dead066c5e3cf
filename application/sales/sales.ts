import {
  type Booking,
  type BornSale,
  type Cents,
  type ChannelTexts,
  type Instant,
  type Json,
  type MoneyNews,
  type NewSale,
  protocolOf,
  type Refund,
  type Sale,
} from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';
import type { Idempotency, RequestName } from './sale-request.ts';

/** The new sale; or, for a used key, the sale and content stored then. */
export type Registration =
  | { readonly kind: 'registered'; readonly sale: BornSale }
  | { readonly kind: 'duplicate'; readonly earlier: EarlierSale };

export interface EarlierSale {
  readonly sale: Sale;
  readonly content: Json;
  /**
   * The sale as it was first answered; absent if it was not answered yet, or was paid at
   * registration.
   */
  readonly answered?: Sale;
}

/** The numbers of a sale with its insurer, as the channel knows them. */
export const insurerNumbersOf = (sale: Sale): readonly string[] => {
  const { quotation, proposal } = sale.issuance ?? {};
  const documents = [quotation, proposal, 'policy' in sale ? sale.policy : undefined];
  return documents.flatMap((document) =>
    document && 'number' in document ? [document.number] : [],
  );
};

/** The right to ask providers on behalf of a sale. One worker has it, until it ends. */
export interface Lease {
  readonly holder: string;
  readonly until: Instant;
}

/** Options of a change. Mails are sent again only for a reason that the audit log shows. */
export type Saving = SavingOptions &
  (
    | { readonly entry?: AuditEntry | undefined; readonly resendMails?: never }
    | { readonly entry: AuditEntry; readonly resendMails: true }
  );

interface SavingOptions {
  /** The worker's lease, to be prolonged. If another worker has the lease, nothing is saved. */
  readonly lease?: Lease | undefined;
  /** What happened to the sale's money: stored as events for partners, or as a mail to the payer. */
  readonly news?: readonly MoneyNews[] | undefined;
  /** Whether to queue a job for the sale's next steps. */
  readonly resume?: boolean | undefined;
}

/** How a sale stands, without its terms. */
export interface SaleStatus {
  readonly id: number;
  /** The line of business of the sale's product. */
  readonly line: string;
  readonly status: Sale['status'];
  readonly externalSaleId?: string;
  readonly idempotencyKey?: string;
  /** Protocol of the cancellation; absent if the sale was not cancelled. */
  readonly protocol?: string;
}

export const saleStatusOf = (sale: Sale): SaleStatus => {
  const { id, status, terms, idempotencyKey } = sale;
  const { externalSaleId } = terms;
  const protocol = protocolOf(sale);
  return {
    id,
    line: terms.product.line,
    status,
    ...(externalSaleId !== undefined && { externalSaleId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(protocol !== undefined && { protocol }),
  };
};

/** A client and its channel, to whom the keys of requests belong. */
export interface KeyOwner {
  readonly clientId: string;
  readonly channelLink: string;
}

/** The bookings of a channel with `from` ≤ time < `to`. */
export interface BookQuery {
  readonly channelLink: string;
  readonly from: Instant;
  readonly to: Instant;
  /** What was stored later may be missing; absent: nothing is missing. */
  readonly asOf?: Instant | undefined;
  /** Only sales with exactly these. */
  readonly channelTexts?: ChannelTexts | undefined;
}

/** A booking and its sale. */
export interface BookedLine {
  readonly booking: Booking;
  /** How the refunds stand now; absent where the booking is of a sale. */
  readonly returning?: { readonly pending: Cents; readonly refunds: readonly Refund[] };
  readonly sale: ChannelTexts & {
    readonly id: number;
    readonly ticket: string;
    readonly externalSaleId?: string;
    readonly productCode: string;
    readonly planCode: string;
    /** The present status. */
    readonly status: Sale['status'];
  };
}

/** A sale as its name finds it, for many names at once. */
export interface NamedSale extends ChannelTexts {
  readonly id: number;
  readonly ticket: string;
  readonly externalSaleId?: string;
  readonly status: Sale['status'];
  /** The total as sold, IOF included. */
  readonly total: Cents;
  /** Absent if no payment was booked. */
  readonly bookedAt?: Instant;
}

/** Sales are numbered in about the order of their registrations: within this much, in ms. */
export const NUMBERING_DISORDER_MS = 600_000;

/** `from` ≤ registration < `to`. */
export interface CollectedPeriod {
  readonly from: Instant;
  readonly to: Instant;
}

interface SaleFilters {
  /** Exactly these. */
  readonly channelTexts?: ChannelTexts | undefined;
  readonly productCode?: string | undefined;
  /** Any of these. */
  readonly statuses?: readonly Sale['status'][] | undefined;
  /** `from` ≤ registration < `to`. */
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Only sales with a smaller id. */
  readonly before?: number | undefined;
  /** Only sales with a larger id. */
  readonly after?: number | undefined;
  /** Which sales come first. Absent: the newest. */
  readonly order?: 'oldest' | undefined;
  readonly limit: number;
}

/**
 * Filters; a sale must match all that are given. `updatedSince`: registered or changed at this time
 * or later. A change gets the time of the store's clock, and is found once it is stored.
 */
export type SaleQuery = SaleFilters &
  (
    | { readonly channelLink?: string | undefined; readonly updatedSince?: undefined }
    | {
        readonly channelLink: string;
        readonly updatedSince: Instant;
        readonly after?: undefined;
        readonly order?: undefined;
      }
  );

export interface OwedQuery {
  readonly channelLink: string;
  readonly limit: number;
  /** The last sale of the page before. */
  readonly after?: { readonly cancelledAt: Instant; readonly id: number } | undefined;
}

/** The sales of a channel that have a name. A sale whose names are both this one is `named` only. */
export interface SalesByName {
  /** The sale with this `externalSaleId`. */
  readonly named: Sale | undefined;
  /** The sale with this ticket. */
  readonly ticketed: Sale | undefined;
}

/**
 * The stored sales.
 *
 * 1. A registered sale has its own id and version 1, and is found complete.
 * 2. A key belongs to the client that used it, or to its channel. Its second use registers nothing
 *    and returns the first sale, also concurrently. A request may have a key of each: if they name
 *    two sales, it returns the sale of the client's key.
 * 3. A sale is found only by its own channel: by id, ticket or `externalSaleId`. `load` and
 *    `loadByTicket` serve callers that may see all channels.
 * 4. A change is saved over the version it was made from, raises it by one and sets `updatedAt`.
 *    Over another version it is stale and changes nothing. A lease or an answer is no change.
 * 5. A list has the matching sales of all channels, the newest first or the oldest.
 * 6. A lease belongs to one worker, from registration or claim until it is released, answered or
 *    expired. Meanwhile another claim is `busy`; a save under a lost lease saves nothing.
 * 7. A sale registered under a lease, or saved with `resume`, gets a job to resume it in the same
 *    transaction.
 * 8. The first answer to the caller is kept and ends the lease; a later answer does not replace it.
 * 9. A change and its audit entry are stored together or not at all.
 * 10. Bookings come sorted by time, each once, only a few in memory at once.
 * 11. The count of bookings is the number of those that come, up to a limit.
 * 12. A due certificate mailing is stored once, with the change that makes it due. So is the mailing
 *     that tells of a cancellation.
 *     With `news`, the events and the mail that they cause are stored with the change.
 * 13. With `resendMails`, the sale's undelivered mailings wait again, with the change or not at all.
 * 14. `findNamed` finds each of the channel's sales once, by the channel's own id or by ticket.
 * 15. The sales that the service collects come in the order of their numbers, each once, only some
 *     in memory at once.
 * 16. With `asOf`, the bookings have everything that was stored until then. `booksAsOf` is a moment
 *     of the last half minute for which they cost little; undefined where no moment does.
 */
export interface Sales {
  register(sale: NewSale, idempotency?: Idempotency, lease?: Lease): Promise<Registration>;
  findEarlier(owner: KeyOwner, name: RequestName): Promise<EarlierSale | undefined>;
  find(channelLink: string, id: number): Promise<Sale | undefined>;
  findStatus(channelLink: string, id: number): Promise<SaleStatus | undefined>;
  findByEitherName(channelLink: string, name: string): Promise<SalesByName>;
  /** The newest sale that has the number with its insurer: of a quotation, proposal or policy. */
  findByNumber(channelLink: string, number: string): Promise<Sale | undefined>;
  load(id: number): Promise<Sale | undefined>;
  loadByTicket(ticket: string): Promise<Sale | undefined>;
  save(changed: Sale, saving?: Saving): Promise<'saved' | 'stale' | 'lost'>;
  claim(id: number, lease: Lease, now: Instant): Promise<Sale | 'busy' | undefined>;
  release(id: number, holder: string): Promise<void>;
  /** Returns the first answer. `lost`: nothing was answered yet, and another worker has to. */
  answer(sale: Sale, holder: string): Promise<Sale | 'lost'>;
  list(query: SaleQuery): Promise<readonly Sale[]>;
  /** The sales of a channel that still owes a refund of them, the oldest cancellation first. */
  owedBy(query: OwedQuery): Promise<readonly Sale[]>;
  booked(query: BookQuery): AsyncIterable<BookedLine>;
  countBooked(query: BookQuery, limit: number): Promise<number>;
  booksAsOf(): Instant | undefined;
  /** Finds sales for at most a few hundred names at a time. */
  findNamed(channelLink: string, names: readonly string[]): Promise<readonly NamedSale[]>;
  /** Sales of all channels whose money the service collects, by the time of registration. */
  collectedByService(period: CollectedPeriod): AsyncIterable<Sale>;
  /**
   * Erases the marks of cards (`card-mark.ts`) in the contents of requests, of at most `limit` sales
   * that were registered before a time. @returns how many
   */
  forgetCards(before: Instant, limit: number): Promise<number>;
  /** The highest number of the sales that were registered before a time; 0 where none was. */
  lastIdBefore(at: Instant): Promise<number>;
  /**
   * The number from which sales were registered after a time, as far as numbers follow times: sales
   * within `NUMBERING_DISORDER_MS` may be on either side. Before all sales, the first number. Cheap,
   * however many sales there are.
   */
  numberAfter(at: Instant): Promise<number>;
}
