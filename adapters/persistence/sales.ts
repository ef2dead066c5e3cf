import {
  certificateDueSince,
  type Instant,
  instantOf,
  type Json,
  type NewSale,
  numbered,
  type Sale,
  type SaleTerms,
} from '#domain';
import type {
  BookedLine,
  BookQuery,
  EarlierSale,
  Idempotency,
  Lease,
  Registration,
  RequestName,
  SaleQuery,
  Sales,
  Saving,
  Seller,
} from '../../application/sales/sales.ts';
import { entryJson } from './audit-log.ts';
import { bookedLines } from './books.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { lookup } from './lookups.ts';
import { type RegisterOnce, registrations } from './registrations.ts';
import { SaleRow } from './rows.ts';
import * as statements from './sale-statements.ts';
import type { Enqueue } from './statement.ts';

interface StoredSale {
  readonly id: string;
  readonly ticket: string;
  readonly version: number;
  readonly status: Sale['status'];
  readonly registered_at: Date | string;
  readonly terms: SaleTerms;
  readonly progress: object;
}

interface StoredEarlierSale extends StoredSale {
  readonly idempotency_content: Json;
  readonly answered: Answered | null;
}

export class DatabaseSales implements Sales {
  readonly #database: Database;
  readonly #enqueue: Enqueue;
  readonly #registerOnce: RegisterOnce;
  readonly #byId: (id: number) => Promise<StoredSale | undefined>;
  readonly #byTicket: (ticket: string) => Promise<StoredSale | undefined>;

  constructor(database: Database, enqueue: Enqueue) {
    this.#database = database;
    this.#enqueue = enqueue;
    this.#registerOnce = registrations(database, enqueue);
    const { loadSome, loadSomeByTicket } = statements;
    this.#byId = lookup(
      (ids) => database.run<StoredSale>(loadSome, [ids]),
      ({ id }) => Number(id),
    );
    this.#byTicket = lookup(
      (tickets) => database.run<StoredSale>(loadSomeByTicket, [tickets]),
      ({ ticket }) => ticket,
    );
  }

  async register(sale: NewSale, idempotency?: Idempotency, lease?: Lease): Promise<Registration> {
    const id = await this.#registerOnce(sale, idempotency, lease);
    if (id !== undefined) return { kind: 'registered', sale: numbered(sale, id) };
    const earlier = idempotency && (await this.findEarlier(sale.terms, idempotency));
    if (earlier === undefined) throw new Error('a sale was neither stored nor stored before');
    return { kind: 'duplicate', earlier };
  }

  async findEarlier(
    { clientId, channelLink }: Seller,
    { owner, key }: RequestName,
  ): Promise<EarlierSale | undefined> {
    const [statement, name] =
      owner === 'client'
        ? [statements.findEarlier, clientId]
        : [statements.findEarlierOfChannel, channelLink];
    const [row] = await this.#database.run<StoredEarlierSale>(statement, [name, key]);
    if (row === undefined) return undefined;
    const { idempotency_content: content, answered, ...stored } = row;
    const sale = fromStored(stored);
    return { sale, content, ...(answered && { answered: asAnswered(sale, answered) }) };
  }

  find(channelLink: string, id: number): Promise<Sale | undefined> {
    return this.load(id).then(ownedBy(channelLink));
  }

  findByTicket(channelLink: string, ticket: string): Promise<Sale | undefined> {
    return this.loadByTicket(ticket).then(ownedBy(channelLink));
  }

  async findByExternalId(channelLink: string, externalSaleId: string): Promise<Sale | undefined> {
    const [row] = await this.#database.run<StoredSale>(statements.findByExternalId, [
      channelLink,
      externalSaleId,
    ]);
    return row && fromStored(row);
  }

  async load(id: number): Promise<Sale | undefined> {
    const row = await this.#byId(id);
    return row && fromStored(row);
  }

  async loadByTicket(ticket: string): Promise<Sale | undefined> {
    const row = await this.#byTicket(ticket);
    return row && fromStored(row);
  }

  async save(
    changed: Sale,
    { lease, resume, entry }: Saving = {},
  ): Promise<'saved' | 'stale' | 'lost'> {
    const { status, progress } = toRow(changed);
    const held = [lease?.holder ?? null, lease?.until ?? null];
    const values = [
      changed.id,
      changed.version,
      status,
      JSON.stringify(progress),
      ...held,
      certificateDueSince(changed) ?? null,
    ];
    const [statement, parameters] =
      entry === undefined
        ? [statements.save, values]
        : [statements.saveWithEntry, [...values, entryJson(entry)]];
    if (resume !== true) {
      if ((await this.#database.run(statement, parameters)).length === 1) return 'saved';
      const isMine =
        lease === undefined ||
        (await this.#database.run(statements.holds, [changed.id, lease.holder])).length === 1;
      return isMine ? 'stale' : 'lost';
    }
    return this.#database.transaction(async (inside) => {
      const { rows } = await inside.executeSql(statement.text, parameters);
      if (rows.length === 0) return 'stale';
      await this.#enqueue([{ kind: 'resume_sale', saleId: changed.id }], inside);
      return 'saved';
    });
  }

  async claim(id: number, lease: Lease, now: Instant): Promise<Sale | 'busy' | undefined> {
    const [row] = await this.#database.run<StoredSale>(statements.claim, [
      id,
      lease.holder,
      lease.until,
      now,
    ]);
    if (row !== undefined) return fromStored(row);
    return (await this.load(id)) === undefined ? undefined : 'busy';
  }

  async release(id: number, holder: string): Promise<void> {
    await this.#database.run(statements.release, [id, holder]);
  }

  async answer(sale: Sale, holder: string): Promise<Sale | 'lost'> {
    const { version } = sale;
    const answered = JSON.stringify({ version, ...toRow(sale) });
    const [row] = await this.#database.run<{ answered: Answered | null }>(statements.answer, [
      sale.id,
      holder,
      answered,
    ]);
    return row?.answered ? asAnswered(sale, row.answered) : 'lost';
  }

  async list({
    channelLink,
    productCode,
    status,
    from,
    to,
    before,
    limit,
  }: SaleQuery): Promise<readonly Sale[]> {
    const where = {
      ...(channelLink !== undefined && { channelLink }),
      ...(productCode && { terms: { product: { code: productCode } } }),
      ...(status && { status }),
      ...((from || to) && {
        registeredAt: { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) },
      }),
      ...(before !== undefined && { id: { $lt: before } }),
    };
    const options = { orderBy: { id: 'desc' as const }, limit, disableIdentityMap: true };
    return (await guarded(() => this.#database.entities().find(SaleRow, where, options))).map(
      fromRow,
    );
  }

  booked(query: BookQuery): AsyncIterable<BookedLine> {
    return bookedLines(this.#database.run, query);
  }
}

/** The sale, if it is one of that channel: to any other it does not exist. */
const ownedBy =
  (channelLink: string) =>
  (sale: Sale | undefined): Sale | undefined =>
    sale?.terms.channelLink === channelLink ? sale : undefined;

/** What a transition may change. The terms are frozen. */
const toRow = ({ id, ticket, version, registeredAt, terms, status, ...progress }: Sale) => ({
  status,
  progress,
});

const fromRow = ({ id, ticket, version, status, registeredAt, terms, progress }: SaleRow): Sale =>
  ({
    id,
    ticket,
    version,
    terms,
    registeredAt: instantOf(registeredAt),
    status,
    ...progress,
  }) as Sale;

const fromStored = ({ id, registered_at, status, progress, ...row }: StoredSale): Sale =>
  ({
    ...row,
    id: Number(id),
    registeredAt: instantOf(new Date(registered_at)),
    status,
    ...progress,
  }) as Sale;

interface Answered {
  readonly version: number;
  readonly status: Sale['status'];
  readonly progress: object;
}

/** The sale as it was when it was answered. */
const asAnswered = (
  { id, ticket, registeredAt, terms }: Sale,
  { version, status, progress }: Answered,
): Sale => ({ id, ticket, registeredAt, terms, version, status, ...progress }) as Sale;
