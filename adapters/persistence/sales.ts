import { certificateDueSince, type Instant, instantOf, type NewSale, numbered, type Sale, type SaleTerms } from '#domain';
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
import { type RegisterOnce, registrations } from './registrations.ts';
import { SaleRow } from './rows.ts';
import { answer, claim, holds, load, loadByTicket, release, save, saveWithEntry } from './sale-statements.ts';
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

export class DatabaseSales implements Sales {
  readonly #database: Database;
  readonly #enqueue: Enqueue;
  readonly #registerOnce: RegisterOnce;

  constructor(database: Database, enqueue: Enqueue) {
    this.#database = database;
    this.#enqueue = enqueue;
    this.#registerOnce = registrations(database, enqueue);
  }

  async register(sale: NewSale, idempotency?: Idempotency, lease?: Lease): Promise<Registration> {
    const id = await this.#registerOnce(sale, idempotency, lease);
    if (id !== undefined) return { kind: 'registered', sale: numbered(sale, id) };
    const earlier = idempotency && (await this.findEarlier(sale.terms, idempotency));
    if (earlier === undefined) throw new Error('a sale was neither stored nor stored before');
    return { kind: 'duplicate', earlier };
  }

  async findEarlier({ clientId, channelLink }: Seller, { owner, key }: RequestName): Promise<EarlierSale | undefined> {
    const row = await this.#one(owner === 'client' ? { clientId, idempotencyKey: key } : { channelLink, externalSaleId: key });
    if (row === undefined) return undefined;
    const sale = fromRow(row);
    const answered = row.answered === null ? undefined : asAnswered(sale, row.answered as Answered);
    return { sale, content: row.idempotencyContent ?? null, ...(answered && { answered }) };
  }

  async find(channelLink: string, id: number): Promise<Sale | undefined> {
    const row = await this.#one({ id, channelLink });
    return row && fromRow(row);
  }

  async findByTicket(channelLink: string, ticket: string): Promise<Sale | undefined> {
    const row = await this.#one({ ticket, channelLink });
    return row && fromRow(row);
  }

  async findByExternalId(channelLink: string, externalSaleId: string): Promise<Sale | undefined> {
    const row = await this.#one({ externalSaleId, channelLink });
    return row && fromRow(row);
  }

  async load(id: number): Promise<Sale | undefined> {
    const [row] = await this.#database.run<StoredSale>(load, [id]);
    return row && fromStored(row);
  }

  async loadByTicket(ticket: string): Promise<Sale | undefined> {
    const [row] = await this.#database.run<StoredSale>(loadByTicket, [ticket]);
    return row && fromStored(row);
  }

  async save(changed: Sale, { lease, resume, entry }: Saving = {}): Promise<'saved' | 'stale' | 'lost'> {
    const { status, progress } = toRow(changed);
    const held = [lease?.holder ?? null, lease?.until ?? null];
    const values = [changed.id, changed.version, status, JSON.stringify(progress), ...held, certificateDueSince(changed) ?? null];
    const [statement, parameters] = entry === undefined ? [save, values] : [saveWithEntry, [...values, entryJson(entry)]];
    if (resume !== true) {
      if ((await this.#database.run(statement, parameters)).length === 1) return 'saved';
      const isMine = lease === undefined || (await this.#database.run(holds, [changed.id, lease.holder])).length === 1;
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
    const [row] = await this.#database.run<StoredSale>(claim, [id, lease.holder, lease.until, now]);
    if (row !== undefined) return fromStored(row);
    return (await this.load(id)) === undefined ? undefined : 'busy';
  }

  async release(id: number, holder: string): Promise<void> {
    await this.#database.run(release, [id, holder]);
  }

  async answer(sale: Sale, holder: string): Promise<Sale | 'lost'> {
    const { version } = sale;
    const answered = JSON.stringify({ version, ...toRow(sale) });
    const [row] = await this.#database.run<{ answered: Answered | null }>(answer, [sale.id, holder, answered]);
    return row?.answered ? asAnswered(sale, row.answered) : 'lost';
  }

  async list({ channelLink, productCode, status, from, to, before, limit }: SaleQuery): Promise<readonly Sale[]> {
    const where = {
      ...(channelLink !== undefined && { channelLink }),
      ...(productCode && { terms: { product: { code: productCode } } }),
      ...(status && { status }),
      ...((from || to) && { registeredAt: { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) } }),
      ...(before !== undefined && { id: { $lt: before } }),
    };
    const options = { orderBy: { id: 'desc' as const }, limit, disableIdentityMap: true };
    return (await guarded(() => this.#database.entities().find(SaleRow, where, options))).map(fromRow);
  }

  booked(query: BookQuery): AsyncIterable<BookedLine> {
    return bookedLines(this.#database.run, query);
  }

  async #one(where: Partial<SaleRow>): Promise<SaleRow | undefined> {
    return (await guarded(() => this.#database.entities().findOne(SaleRow, where, { disableIdentityMap: true }))) ?? undefined;
  }
}

/** What a transition may change. The terms are frozen. */
const toRow = ({ id, ticket, version, registeredAt, terms, status, ...progress }: Sale) => ({ status, progress });

const fromRow = ({ id, ticket, version, status, registeredAt, terms, progress }: SaleRow): Sale =>
  ({ id, ticket, version, terms, registeredAt: instantOf(registeredAt), status, ...progress }) as Sale;

const fromStored = ({ id, registered_at, status, progress, ...row }: StoredSale): Sale =>
  ({ ...row, id: Number(id), registeredAt: instantOf(new Date(registered_at)), status, ...progress }) as Sale;

interface Answered {
  readonly version: number;
  readonly status: Sale['status'];
  readonly progress: object;
}

/** The sale as it was when it was answered. */
const asAnswered = ({ id, ticket, registeredAt, terms }: Sale, { version, status, progress }: Answered): Sale =>
  ({ id, ticket, registeredAt, terms, version, status, ...progress }) as Sale;
