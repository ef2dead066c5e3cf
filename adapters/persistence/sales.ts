import type { NewSale, Sale } from '@insurance-sales/domain';
import type { EarlierSale, Idempotency, Registration, Sales } from '../../application/sales/sales.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { SaleRow } from './rows.ts';

const insert = {
  name: 'register-sale',
  text: `
    insert into sale (ticket, channel_link, client_id, status, version, registered_at, terms, idempotency_key, idempotency_content)
    values ($1, $2, $3, $4, 1, $5, $6, $7, $8)
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
    if (inserted) return { kind: 'registered', sale: { ...sale, id: Number(inserted.id), version: 1 } };
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

  async #one(where: Partial<SaleRow>): Promise<SaleRow | undefined> {
    return (await guarded(() => this.#database.entities().findOne(SaleRow, where, { disableIdentityMap: true }))) ?? undefined;
  }
}

const insertValues = ({ ticket, status, registeredAt, terms }: NewSale, idempotency?: Idempotency): unknown[] => [
  ticket,
  terms.channelLink,
  terms.clientId,
  status,
  registeredAt,
  JSON.stringify(terms),
  idempotency?.key ?? null,
  idempotency ? JSON.stringify(idempotency.content) : null,
];

/** What a transition may change. The terms are frozen. */
const toRow = (sale: Sale): { status: Sale['status']; cancelledAt: Date | null } => ({
  status: sale.status,
  cancelledAt: sale.status === 'cancelled' ? new Date(sale.cancelledAt) : null,
});

const fromRow = ({ id, ticket, version, status, registeredAt, cancelledAt, terms }: SaleRow): Sale => {
  const registered = { id, ticket, version, terms, registeredAt: registeredAt.toISOString() };
  return status === 'cancelled' && cancelledAt
    ? { ...registered, status, cancelledAt: cancelledAt.toISOString() }
    : { ...registered, status: 'paid' };
};
