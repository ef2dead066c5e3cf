import {
  bookingsOf,
  CHANNEL_TEXTS,
  type ChannelTexts,
  certificateDueSince,
  channelTextsOf,
  endNoticeDue,
  type Instant,
  isCancelled,
  type NewSale,
  numbered,
  outstandingRefunds,
  refundPending,
  refundsOf,
  type Sale,
} from '#domain';
import type { AuditLog } from '../../../application/audit/audit-log.ts';
import type { Clock } from '../../../application/clock.ts';
import { moneyEvents } from '../../../application/events/partner-events.ts';
import type { Mailing } from '../../../application/mail/mailings.ts';
import { ERASED_CARD } from '../../../application/sales/card-mark.ts';
import {
  clientKeyOf,
  type Idempotency,
  type RequestName,
} from '../../../application/sales/sale-request.ts';
import {
  type BookedLine,
  type BookQuery,
  type CollectedPeriod,
  type EarlierSale,
  insurerNumbersOf,
  type KeyOwner,
  type Lease,
  type NamedSale,
  type OwedQuery,
  type Registration,
  type SaleQuery,
  type SaleStatus,
  type Sales,
  type SalesByName,
  type Saving,
  saleStatusOf,
} from '../../../application/sales/sales.ts';
import type { MemoryPartnerEvents } from '../events/partner-events.ts';

/** What sales tell the events of, and the mailings. */
export interface SaleFollowers {
  readonly mailbox: Mailbox;
  readonly events: Pick<
    MemoryPartnerEvents,
    'noteRegistration' | 'noteChange' | 'noteMoney' | 'noteMailing'
  >;
}

/** The part of the mailings that sales need. */
interface Mailbox {
  followSettled(follower: (mailing: Mailing) => void): void;
  knowChannels(channelOf: (saleId: number) => string): void;
  certificateDue(saleId: number, at: Instant): void;
  resendUndelivered(saleId: number): void;
  endNoticeDue(saleId: number, at: Instant): void;
  accountAsked(saleId: number, at: Instant): void;
}

/** Sales in memory. Copies what it gets and returns, as a database does. */
export class MemorySales implements Sales {
  readonly #sales = new Map<number, Sale>();
  readonly #byKey = new Map<
    string,
    { readonly saleId: number; readonly content: Idempotency['content'] }
  >();
  readonly #leases = new Map<number, Lease>();
  readonly #answered = new Map<number, Sale>();
  readonly #auditLog: AuditLog;
  readonly #mailbox: Mailbox;
  readonly #events: SaleFollowers['events'];
  readonly #clock: Clock;
  /** The numbers of the sales to resume: what the job queue would hold. */
  readonly due: number[] = [];

  constructor(auditLog: AuditLog, { mailbox, events }: SaleFollowers, clock: Clock) {
    this.#auditLog = auditLog;
    this.#mailbox = mailbox;
    this.#events = events;
    this.#clock = clock;
    mailbox.knowChannels((saleId) => this.#sales.get(saleId)?.terms.channelLink ?? '');
    mailbox.followSettled((mailing) => {
      const sale = this.#sales.get(mailing.saleId);
      if (sale !== undefined) events.noteMailing(sale, mailing);
    });
  }

  async register(sale: NewSale, idempotency?: Idempotency, lease?: Lease): Promise<Registration> {
    const earlier = idempotency && this.#earlier(sale.terms, idempotency);
    if (earlier) return { kind: 'duplicate', earlier };
    const idempotencyKey = idempotency && clientKeyOf(idempotency);
    const registered = {
      ...numbered(structuredClone(sale), this.#sales.size + 1),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    this.#sales.set(registered.id, registered);
    if (lease) {
      this.#leases.set(registered.id, lease);
      this.due.push(registered.id);
    }
    if (idempotency) {
      const content = structuredClone(idempotency.content);
      for (const name of keyNames(sale.terms, idempotency))
        this.#byKey.set(name, { saleId: registered.id, content });
    }
    this.#addMailingOf(registered);
    this.#events.noteRegistration(registered);
    return { kind: 'registered', sale: structuredClone(registered) };
  }

  async findEarlier(owner: KeyOwner, name: RequestName): Promise<EarlierSale | undefined> {
    return this.#earlier(owner, name);
  }

  async find(channelLink: string, id: number): Promise<Sale | undefined> {
    const sale = this.#sales.get(id);
    return sale?.terms.channelLink === channelLink ? structuredClone(sale) : undefined;
  }

  async findStatus(channelLink: string, id: number): Promise<SaleStatus | undefined> {
    const sale = await this.find(channelLink, id);
    return sale && saleStatusOf(sale);
  }

  async findByEitherName(channelLink: string, name: string): Promise<SalesByName> {
    const own = [...this.#sales.values()].filter(({ terms }) => terms.channelLink === channelLink);
    const named = own.find(({ terms }) => terms.externalSaleId === name);
    const ticketed = own.find((sale) => sale.ticket === name && sale !== named);
    return structuredClone({ named, ticketed });
  }

  async findByNumber(channelLink: string, number: string): Promise<Sale | undefined> {
    const found = [...this.#sales.values()].findLast(
      (sale) => sale.terms.channelLink === channelLink && insurerNumbersOf(sale).includes(number),
    );
    return structuredClone(found);
  }

  async load(id: number): Promise<Sale | undefined> {
    return structuredClone(this.#sales.get(id));
  }

  async loadByTicket(ticket: string): Promise<Sale | undefined> {
    return structuredClone([...this.#sales.values()].find((each) => each.ticket === ticket));
  }

  async claim(id: number, lease: Lease, now: Instant): Promise<Sale | 'busy' | undefined> {
    const held = this.#leases.get(id);
    if (held !== undefined && held.until > now) return 'busy';
    if (this.#sales.has(id)) this.#leases.set(id, lease);
    return this.load(id);
  }

  async release(id: number, holder: string): Promise<void> {
    if (this.#leases.get(id)?.holder === holder) this.#leases.delete(id);
  }

  async answer(sale: Sale, holder: string): Promise<Sale | 'lost'> {
    const isMine = this.#leases.get(sale.id)?.holder === holder;
    const first = this.#answered.get(sale.id) ?? (isMine ? structuredClone(sale) : undefined);
    if (first === undefined) return 'lost';
    await this.release(sale.id, holder);
    this.#answered.set(sale.id, first);
    return structuredClone(first);
  }

  async save(
    changed: Sale,
    { lease, resume, entry, resendMails, news = [] }: Saving = {},
  ): Promise<'saved' | 'stale' | 'lost'> {
    if (lease !== undefined && this.#leases.get(changed.id)?.holder !== lease.holder) return 'lost';
    const stored = this.#sales.get(changed.id);
    if (stored?.version !== changed.version) return 'stale';
    const { idempotencyKey: _, ...change } = structuredClone(changed);
    const updatedAt = this.#clock.now();
    const saved = {
      ...change,
      ...(stored.idempotencyKey !== undefined && { idempotencyKey: stored.idempotencyKey }),
      terms: stored.terms,
      ticket: stored.ticket,
      registeredAt: stored.registeredAt,
      version: changed.version + 1,
      updatedAt,
    };
    this.#sales.set(changed.id, saved);
    if (lease !== undefined) this.#leases.set(changed.id, lease);
    if (resume === true) this.due.push(changed.id);
    for (const type of moneyEvents(news)) this.#events.noteMoney(type, saved, updatedAt);
    if (stored.status !== changed.status) {
      this.#addMailingOf(changed);
      this.#events.noteChange(saved, updatedAt);
    }
    if (news.some(({ kind }) => kind === 'account_asked'))
      this.#mailbox.accountAsked(changed.id, updatedAt);
    if (resendMails === true) this.#mailbox.resendUndelivered(changed.id);
    if (!isCancelled(stored)) this.#addNoticeOf(changed);
    if (entry !== undefined) await this.#auditLog.append(entry);
    return 'saved';
  }

  async list({
    channelLink,
    productCode,
    channelTexts,
    statuses,
    from,
    to,
    updatedSince,
    before = Infinity,
    after = 0,
    order,
    limit,
  }: SaleQuery): Promise<readonly Sale[]> {
    const fits = ({ id, terms, status, registeredAt, updatedAt = registeredAt }: Sale): boolean =>
      id < before &&
      id > after &&
      (channelLink === undefined || terms.channelLink === channelLink) &&
      (productCode === undefined || terms.product.code === productCode) &&
      hasTexts(terms, channelTexts) &&
      (statuses === undefined || statuses.includes(status)) &&
      (from === undefined || registeredAt >= from) &&
      (to === undefined || registeredAt < to) &&
      (updatedSince === undefined || registeredAt >= updatedSince || updatedAt >= updatedSince);
    const found = [...this.#sales.values()].filter(fits);
    const ordered = order === 'oldest' ? found : found.reverse();
    return structuredClone(ordered.slice(0, limit));
  }

  async owedBy({ channelLink, limit, after }: OwedQuery): Promise<readonly Sale[]> {
    const placeOf = ({ cancelledAt, id }: { cancelledAt: Instant; id: number }) =>
      `${cancelledAt} ${String(id).padStart(15, '0')}`;
    const owed = [...this.#sales.values()]
      .filter((sale) => isCancelled(sale))
      .filter(
        (sale) =>
          sale.terms.channelLink === channelLink &&
          outstandingRefunds(sale).some(({ chargeId }) => chargeId === undefined) &&
          (after === undefined || placeOf(sale) > placeOf(after)),
      )
      .sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    return structuredClone(owed.slice(0, limit));
  }

  booksAsOf(): undefined {
    return undefined;
  }

  async countBooked(query: BookQuery, limit: number): Promise<number> {
    let count = 0;
    for await (const _ of this.booked(query)) count += 1;
    return Math.min(count, limit);
  }

  async *booked({ channelLink, from, to, channelTexts }: BookQuery): AsyncIterable<BookedLine> {
    const all = [...this.#sales.values()].filter(
      ({ terms }) => terms.channelLink === channelLink && hasTexts(terms, channelTexts),
    );
    const lines = all.flatMap((sale) =>
      bookingsOf(sale).map((booking) => ({
        booking,
        sale: named(sale),
        ...(booking.kind === 'refund' && {
          returning: { pending: refundPending(sale), refunds: refundsOf(sale) },
        }),
      })),
    );
    const fitting = lines.filter(({ booking: { at } }) => at >= from && at < to);
    for (const line of fitting.sort(byTime)) yield structuredClone(line);
  }

  async findNamed(channelLink: string, names: readonly string[]): Promise<readonly NamedSale[]> {
    const wanted = new Set(names);
    return [...this.#sales.values()]
      .filter(({ ticket, terms }) => wanted.has(ticket) || wanted.has(terms.externalSaleId ?? ''))
      .filter(({ terms }) => terms.channelLink === channelLink)
      .map((sale) => {
        const { id, ticket, status, terms } = sale;
        const { externalSaleId, quote } = terms;
        return {
          ...{ id, ticket, status, total: quote.premium.total, ...channelTextsOf(terms) },
          ...(externalSaleId !== undefined && { externalSaleId }),
          ...('bookedAt' in sale && sale.bookedAt && { bookedAt: sale.bookedAt }),
        };
      });
  }

  async *collectedByService({ from, to }: CollectedPeriod): AsyncIterable<Sale> {
    for (const sale of this.#sales.values()) {
      const { registeredAt, terms } = sale;
      if (terms.payment.collectedBy === 'service' && registeredAt >= from && registeredAt < to)
        yield structuredClone(sale);
    }
  }

  async forgetCards(before: Instant, limit: number): Promise<number> {
    const marked = [...this.#byKey].filter(([, { saleId, content }]) => {
      const isOld = (this.#sales.get(saleId)?.registeredAt ?? '') < before;
      return isOld && /"creditCard":"[^"]{5,}"/.test(JSON.stringify(content));
    });
    const ids = [...new Set(marked.map(([, { saleId }]) => saleId))].slice(0, limit);
    for (const [name, { saleId, content }] of marked.filter(([, each]) =>
      ids.includes(each.saleId),
    )) {
      const text = JSON.stringify(content);
      const erased = text.replaceAll(/"creditCard":"[^"]{5,}"/g, `"creditCard":"${ERASED_CARD}"`);
      this.#byKey.set(name, { saleId, content: JSON.parse(erased) });
    }
    return ids.length;
  }

  async lastIdBefore(at: Instant): Promise<number> {
    const ids = [...this.#sales.values()].filter(({ registeredAt }) => registeredAt < at);
    return Math.max(0, ...ids.map(({ id }) => id));
  }

  async numberAfter(at: Instant): Promise<number> {
    const all = [...this.#sales.values()];
    return all.find(({ registeredAt }) => registeredAt > at)?.id ?? (all.at(-1)?.id ?? 0) + 1;
  }

  #addMailingOf(sale: Sale): void {
    const since = certificateDueSince(sale);
    if (since !== undefined) this.#mailbox.certificateDue(sale.id, since);
  }

  #addNoticeOf(sale: Sale): void {
    const since = endNoticeDue(sale);
    if (since !== undefined) this.#mailbox.endNoticeDue(sale.id, since);
  }

  #earlier(owner: KeyOwner, name: RequestName): EarlierSale | undefined {
    const [known] = keyNames(owner, name).flatMap((each) => this.#byKey.get(each) ?? []);
    const sale = known && this.#sales.get(known.saleId);
    const answered = known && this.#answered.get(known.saleId);
    return (
      known &&
      sale &&
      structuredClone({ sale, content: known.content, ...(answered && { answered }) })
    );
  }
}

/** The client's key comes first, because its sale is the earlier one where the names disagree. */
const keyNames = ({ clientId, channelLink }: KeyOwner, name: RequestName): readonly string[] => {
  const clientKey = clientKeyOf(name);
  const names = [
    ...(clientKey === undefined ? [] : [['client', clientId, clientKey]]),
    ...(name.owner === 'channel' ? [['channel', channelLink, name.key]] : []),
  ];
  return names.map((each) => JSON.stringify(each));
};

const hasTexts = (terms: ChannelTexts, wanted: ChannelTexts = {}): boolean =>
  CHANNEL_TEXTS.every((name) => wanted[name] === undefined || terms[name] === wanted[name]);

const named = ({ id, ticket, status, terms }: Sale): BookedLine['sale'] => ({
  ...{ id, ticket, status, ...channelTextsOf(terms) },
  productCode: terms.product.code,
  planCode: terms.plan.code,
  ...(terms.externalSaleId !== undefined && { externalSaleId: terms.externalSaleId }),
});

/**
 * The sort is stable: lines of one time keep the order of sale numbers, and a sale precedes its
 * refund.
 */
const byTime = ({ booking: one }: BookedLine, { booking: other }: BookedLine): number =>
  one.at < other.at ? -1 : Number(one.at > other.at);
