import {
  cancellationProtocol,
  certificateDueSince,
  channelTextsOf,
  endNoticeDue,
  type Instant,
  type NewSale,
  numbered,
  type Sale,
} from '#domain';
import { changeEvent, moneyEvents } from '../../../application/events/partner-events.ts';
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
} from '../../../application/sales/sales.ts';
import type { Cause } from '../../../application/tasks.ts';
import { createBatcher, createLookup, LOOKUPS } from '../engine/batcher.ts';
import type { Database } from '../engine/database.ts';
import type { Enqueue, Statement } from '../engine/statement.ts';
import { entryJson } from '../operations/audit-log.ts';
import {
  type AnsweredState,
  channelTextsJson,
  progressOf,
  readAnswer,
  saleOfRow,
} from '../schema/sale-row.ts';
import { bookedLines, countLines } from './books.ts';
import { collectedSales, lastIdBefore, numberAfter } from './collected-sales.ts';
import { listOwedRefunds } from './owed-refunds.ts';
import { createRegistration, type ObserveGroup, type RegisterOnce } from './register-sales.ts';
import {
  answerSale,
  type ChannelName,
  claimSale,
  type FoundByName,
  findEarlierOfChannel,
  findEarlierOfClient,
  findNamedSales,
  findSaleByNumber,
  findSalesByEitherName,
  findStatuses,
  forgetCards,
  holdsLease,
  loadSales,
  loadSalesByTicket,
  prepareSave,
  readNamedSale,
  releaseLease,
  type SavedChange,
  type StoredStatus,
} from './sale-statements.ts';
import { listUpdatedSales } from './sale-updates.ts';

/** Before every cancellation. */
const FIRST = '2000-01-01T00:00:00.000Z' as Instant;

/** What is measured of the sales that this process stores. */
interface SalesObserver {
  /** A sale of this line was registered with this status, or changed to it. */
  readonly countSale: (line: string, status: Sale['status']) => void;
  readonly countRegistered: (line: string) => void;
  readonly observeGroup: ObserveGroup;
}

interface AroundSales {
  /** The request that stores a sale: sales of several are written together. */
  readonly currentCause?: () => Cause | undefined;
  readonly observer?: SalesObserver | undefined;
}

export class DatabaseSales implements Sales {
  readonly #database: Database;
  readonly #enqueue: Enqueue;
  readonly #observer: SalesObserver | undefined;
  readonly #registerOnce: RegisterOnce;
  readonly #findById: (id: number) => Promise<{ readonly id: string } | undefined>;
  readonly #findStatus: (id: number) => Promise<StoredStatus | undefined>;
  readonly #findByEitherName: (name: ChannelName) => Promise<readonly FoundByName[]>;
  readonly #findByTicket: (ticket: string) => Promise<{ readonly ticket: string } | undefined>;

  constructor(database: Database, enqueue: Enqueue, around: AroundSales = {}) {
    this.#database = database;
    this.#enqueue = enqueue;
    this.#observer = around.observer;
    this.#registerOnce = createRegistration(database, enqueue, around);
    this.#findById = createLookup(
      (ids) => database.query(loadSales, { ids }),
      ({ id }) => Number(id),
    );
    this.#findStatus = createLookup(
      (ids) => database.query(findStatuses, { ids }),
      ({ id }) => Number(id),
    );
    this.#findByEitherName = createBatcher<ChannelName, readonly FoundByName[]>({
      ...LOOKUPS,
      work: async function findTogether(wanted) {
        const found = await database.query(findSalesByEitherName, {
          channelLinks: wanted.map(({ channelLink }) => channelLink),
          names: wanted.map(({ name }) => name),
        });
        const places = Map.groupBy(found, ({ place }) => place);
        return wanted.map((_, index) => places.get(index + 1) ?? []);
      },
    });
    this.#findByTicket = createLookup(
      (tickets) => database.query(loadSalesByTicket, { tickets }),
      ({ ticket }) => ticket,
    );
  }

  async register(sale: NewSale, idempotency?: Idempotency, lease?: Lease): Promise<Registration> {
    const id = await this.#registerOnce(sale, idempotency, lease);
    if (id !== undefined) {
      const { line } = sale.terms.product;
      this.#observer?.countSale(line, sale.status);
      this.#observer?.countRegistered(line);
      const idempotencyKey = idempotency && clientKeyOf(idempotency);
      const registered = numbered(sale, id);
      return {
        kind: 'registered',
        sale: idempotencyKey === undefined ? registered : { ...registered, idempotencyKey },
      };
    }
    const earlier = idempotency && (await this.findEarlier(sale.terms, idempotency));
    if (earlier === undefined) throw new Error('a sale was neither stored nor stored before');
    return { kind: 'duplicate', earlier };
  }

  async findEarlier(
    { clientId, channelLink }: KeyOwner,
    name: RequestName,
  ): Promise<EarlierSale | undefined> {
    const key = clientKeyOf(name);
    const ofClient =
      key === undefined ? [] : await this.#database.query(findEarlierOfClient, { clientId, key });
    const [row] =
      name.owner === 'client' || ofClient.length > 0
        ? ofClient
        : await this.#database.query(findEarlierOfChannel, {
            channelLink,
            externalSaleId: name.key,
          });
    if (row === undefined) return undefined;
    const { idempotencyContent: content, answered } = row;
    const sale = saleOfRow(row);
    return { sale, content, ...(answered && { answered: readAnswer(sale, answered) }) };
  }

  find(channelLink: string, id: number): Promise<Sale | undefined> {
    return this.load(id).then(ownedBy(channelLink));
  }

  async findStatus(channelLink: string, id: number): Promise<SaleStatus | undefined> {
    const found = await this.#findStatus(id);
    if (found?.channelLink !== channelLink) return undefined;
    const { line, status, ticket, externalSaleId, idempotencyKey, cancelledOn: on } = found;
    return {
      id,
      line,
      status,
      ...(externalSaleId !== null && { externalSaleId }),
      ...(idempotencyKey !== null && { idempotencyKey }),
      ...(on !== null && { protocol: cancellationProtocol({ saleId: id, ticket, on }) }),
    };
  }

  async findByEitherName(channelLink: string, name: string): Promise<SalesByName> {
    const sales = (await this.#findByEitherName({ channelLink, name })).map(saleOfRow);
    const named = sales.find(({ terms }) => terms.externalSaleId === name);
    return { named, ticketed: sales.find((sale) => sale !== named) };
  }

  async findByNumber(channelLink: string, number: string): Promise<Sale | undefined> {
    const [row] = await this.#database.query(findSaleByNumber, { channelLink, number });
    return row && saleOfRow(row);
  }

  async load(id: number): Promise<Sale | undefined> {
    const row = await this.#findById(id);
    return row && saleOfRow(row);
  }

  async loadByTicket(ticket: string): Promise<Sale | undefined> {
    const row = await this.#findByTicket(ticket);
    return row && saleOfRow(row);
  }

  async save(
    changed: Sale,
    { lease, resume, entry, resendMails, news = [] }: Saving = {},
  ): Promise<'saved' | 'stale' | 'lost'> {
    const { id, version, status } = changed;
    const change = {
      id,
      version,
      status,
      progress: JSON.stringify(progressOf(changed)),
      holder: lease?.holder ?? null,
      leasedUntil: lease?.until ?? null,
      certificateDue: certificateDueSince(changed) ?? null,
      numbers: insurerNumbersOf(changed),
      moneyEvents: moneyEvents(news),
      statusEvent: changeEvent(status) ?? null,
    };
    const noticeDue = endNoticeDue(changed);
    const asksForAccount = news.some(({ kind }) => kind === 'account_asked');
    const [saving, values] = prepareSave(change, {
      ended: noticeDue && { noticeDue },
      entry: entry && { entry: entryJson(entry), resendMails: resendMails === true },
      asksForAccount,
    });
    const saved = await this.#save(id, saving, values, { lease, resume });
    if (typeof saved === 'string') return saved;
    if (saved.hasNewStatus) this.#observer?.countSale(changed.terms.product.line, status);
    return 'saved';
  }

  async claim(id: number, lease: Lease, now: Instant): Promise<Sale | 'busy' | undefined> {
    const { holder, until: leasedUntil } = lease;
    const [row] = await this.#database.query(claimSale, { id, holder, leasedUntil, now });
    if (row !== undefined) return saleOfRow(row);
    return (await this.load(id)) === undefined ? undefined : 'busy';
  }

  async release(id: number, holder: string): Promise<void> {
    await this.#database.query(releaseLease, { id, holder });
  }

  async answer(sale: Sale, holder: string): Promise<Sale | 'lost'> {
    const { id, version, status } = sale;
    const state: AnsweredState = { version, status, progress: progressOf(sale) };
    const answered = JSON.stringify(state);
    const [row] = await this.#database.query(answerSale, { id, holder, answered });
    return row?.answered ? readAnswer(sale, row.answered) : 'lost';
  }

  async list(query: SaleQuery): Promise<readonly Sale[]> {
    if (query.updatedSince !== undefined) return this.#listUpdated(query);

    const { channelLink, productCode, channelTexts, statuses, from, to, limit } = query;
    const { before, after, order } = query;
    const terms = {
      ...(productCode && { product: { code: productCode } }),
      ...channelTextsOf(channelTexts ?? {}),
    };
    const where = {
      ...(channelLink !== undefined && { channelLink }),
      ...(Object.keys(terms).length > 0 && { terms }),
      ...(statuses && { status: { $in: statuses } }),
      ...((from || to) && {
        registeredAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) },
      }),
      ...((before ?? after) !== undefined && {
        id: {
          ...(before !== undefined && { $lt: before }),
          ...(after !== undefined && { $gt: after }),
        },
      }),
    };
    const orderBy = { id: order === 'oldest' ? 'asc' : 'desc' } as const;
    const page = { orderBy, limit, connectionType: 'read' } as const;
    const found = await this.#database.entities((em, { SaleEntity }) =>
      em.find(SaleEntity, where, page),
    );
    return found.map(saleOfRow);
  }

  async owedBy({ channelLink, limit, after }: OwedQuery): Promise<readonly Sale[]> {
    const { cancelledAt = FIRST, id: afterId = 0 } = after ?? {};
    const values = { channelLink, limit, after: cancelledAt, afterId };
    return (await this.#database.query(listOwedRefunds, values)).map(saleOfRow);
  }

  async findNamed(channelLink: string, names: readonly string[]): Promise<readonly NamedSale[]> {
    const rows = await this.#database.query(findNamedSales, { channelLink, names });
    return rows.map(readNamedSale);
  }

  booked(query: BookQuery): AsyncIterable<BookedLine> {
    return bookedLines(this.#database, query);
  }

  countBooked(query: BookQuery, limit: number): Promise<number> {
    return countLines(this.#database, query, limit);
  }

  booksAsOf(): Instant | undefined {
    return this.#database.readAsOf();
  }

  collectedByService(period: CollectedPeriod): AsyncIterable<Sale> {
    return collectedSales(this.#database.query, period);
  }

  async forgetCards(before: Instant, limit: number): Promise<number> {
    return (await this.#database.query(forgetCards, { before, limit, erased: ERASED_CARD })).length;
  }

  lastIdBefore(at: Instant): Promise<number> {
    return lastIdBefore(this.#database.query, at);
  }

  numberAfter(at: Instant): Promise<number> {
    return numberAfter(this.#database.query, at);
  }

  async #listUpdated(query: Extract<SaleQuery, { updatedSince: Instant }>): Promise<Sale[]> {
    const { channelLink, updatedSince: since, limit, before, ...filters } = query;
    const { statuses = null, productCode = null, from = null, to = null } = filters;
    const channelTexts = channelTextsJson(filters.channelTexts);
    const page = { channelLink, since, limit, before: before ?? Number.MAX_SAFE_INTEGER };
    const given = { statuses, productCode, channelTexts, from, to };
    const isFiltered = Object.values(given).some((filter) => filter !== null);
    return (await this.#database.read(listUpdatedSales, { ...page, ...given, isFiltered })).map(
      saleOfRow,
    );
  }

  /** Stores a change; with `resume`, together with the task that resumes the sale. */
  async #save(
    id: number,
    statement: Statement,
    values: unknown[],
    { lease, resume }: Pick<Saving, 'lease' | 'resume'>,
  ): Promise<SavedChange | 'stale' | 'lost'> {
    if (resume === true) {
      return this.#database.transaction(async (inside) => {
        const { rows } = await inside.executeSql(statement.text, values);
        const [saved] = rows as SavedChange[];
        if (saved === undefined) return 'stale';
        await this.#enqueue([{ kind: 'resume_sale', saleId: id }], inside);
        return saved;
      });
    }
    const [saved] = await this.#database.run<SavedChange>(statement, values);
    if (saved !== undefined) return saved;
    return lease === undefined || (await this.#holds(id, lease)) ? 'stale' : 'lost';
  }

  async #holds(id: number, { holder }: Lease): Promise<boolean> {
    return (await this.#database.query(holdsLease, { id, holder })).length === 1;
  }
}

/** The statement that stores a change, and its values. */

/** Returns the sale if it is the channel's: for other channels it does not exist. */
const ownedBy =
  (channelLink: string) =>
  (sale: Sale | undefined): Sale | undefined =>
    sale?.terms.channelLink === channelLink ? sale : undefined;
