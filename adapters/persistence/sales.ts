import { instantOf, type NewSale, numbered, type Sale } from '#domain';
import type { EarlierSale, Idempotency, Registration, SaleQuery, Sales } from '../../application/sales/sales.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { SaleRow } from './rows.ts';

const insert = {
  name: 'register-sale',
  text: `
    insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, progress, idempotency_key, idempotency_content)
    values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9)
    on conflict (client_id, idempotency_key) where idempotency_key is not null do nothing
    returning id::text`,
};

export class DatabaseSales implements Sales {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async register(sale: NewSale, idempotency?: Idempotency): Promise<Registration> {
    const [inserted] = await this.#database.run<{ id: string }>(insert, insertValues(sale, idempotency));
    if (inserted) return { kind: 'registered', sale: numbered(sale, Number(inserted.id)) };
    const earlier = idempotency && (await this.findEarlier(sale.terms.clientId, idempotency.key));
    if (earlier === undefined) throw new Error('a sale was neither stored nor stored before');
    return { kind: 'duplicate', earlier };
  }

  async findEarlier(clientId: string, idempotencyKey: string): Promise<EarlierSale | undefined> {
    const row = await this.#one({ clientId, idempotencyKey });
    return row && { sale: fromRow(row), content: row.idempotencyContent ?? null };
  }

  async find(channelLink: string, id: number): Promise<Sale | undefined> {
    const row = await this.#one({ id, channelLink });
    return row && fromRow(row);
  }

  async save(changed: Sale): Promise<'saved' | 'stale'> {
    const { id, version } = changed;
    const changes = { ...toRow(changed), version: version + 1 };
    const count = await guarded(() => this.#database.entities().nativeUpdate(SaleRow, { id, version }, changes));
    return count === 1 ? 'saved' : 'stale';
  }

  async list({ channelLink, productCode, status, from, to, before, limit }: SaleQuery): Promise<readonly Sale[]> {
    const where = {
      ...(channelLink && { channelLink }),
      ...(productCode && { terms: { product: { code: productCode } } }),
      ...(status && { status }),
      ...((from || to) && { registeredAt: { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) } }),
      ...(before !== undefined && { id: { $lt: before } }),
    };
    const options = { orderBy: { id: 'desc' as const }, limit, disableIdentityMap: true };
    return (await guarded(() => this.#database.entities().find(SaleRow, where, options))).map(fromRow);
  }

  async #one(where: Partial<SaleRow>): Promise<SaleRow | undefined> {
    return (await guarded(() => this.#database.entities().findOne(SaleRow, where, { disableIdentityMap: true }))) ?? undefined;
  }
}

const insertValues = (sale: NewSale, idempotency?: Idempotency): unknown[] => {
  const { ticket, registeredAt, terms, status, ...progress } = sale;
  return [
    ticket,
    terms.channelLink,
    terms.clientId,
    status,
    registeredAt,
    JSON.stringify(terms),
    JSON.stringify(progress),
    idempotency?.key ?? null,
    idempotency ? JSON.stringify(idempotency.content) : null,
  ];
};

/** What a transition may change. The terms are frozen. */
const toRow = ({ id, ticket, version, registeredAt, terms, status, ...progress }: Sale) => ({ status, progress });

const fromRow = ({ id, ticket, version, status, registeredAt, terms, progress }: SaleRow): Sale =>
  ({ id, ticket, version, terms, registeredAt: instantOf(registeredAt), status, ...progress }) as Sale;
