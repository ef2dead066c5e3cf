import { type NewSale, numbered, type Sale } from '#domain';
import type { EarlierSale, Idempotency, Registration, SaleQuery, Sales } from '../../application/sales/sales.ts';

/** The sales register in memory: same promises, nothing shared with its callers. */
export class MemorySales implements Sales {
  readonly #sales = new Map<number, Sale>();
  readonly #byKey = new Map<string, { readonly saleId: number; readonly idempotency: Idempotency }>();

  async register(sale: NewSale, idempotency?: Idempotency): Promise<Registration> {
    const earlier = idempotency && this.#earlier(sale.terms.clientId, idempotency.key);
    if (earlier) return { kind: 'duplicate', earlier };
    const registered = numbered(structuredClone(sale), this.#sales.size + 1);
    this.#sales.set(registered.id, registered);
    if (idempotency) {
      const name = keyName(sale.terms.clientId, idempotency.key);
      this.#byKey.set(name, { saleId: registered.id, idempotency: structuredClone(idempotency) });
    }
    return { kind: 'registered', sale: structuredClone(registered) };
  }

  async findEarlier(clientId: string, key: string): Promise<EarlierSale | undefined> {
    return this.#earlier(clientId, key);
  }

  async find(channelLink: string, id: number): Promise<Sale | undefined> {
    const sale = this.#sales.get(id);
    return sale?.terms.channelLink === channelLink ? structuredClone(sale) : undefined;
  }

  async save(changed: Sale): Promise<'saved' | 'stale'> {
    const stored = this.#sales.get(changed.id);
    if (stored?.version !== changed.version) return 'stale';
    this.#sales.set(changed.id, {
      ...structuredClone(changed),
      ...{ terms: stored.terms, ticket: stored.ticket, registeredAt: stored.registeredAt },
      version: changed.version + 1,
    });
    return 'saved';
  }

  async list({ channelLink, productCode, status, from, to, before = Infinity, limit }: SaleQuery): Promise<readonly Sale[]> {
    const fits = ({ id, terms, status: its, registeredAt }: Sale): boolean =>
      id < before &&
      (channelLink === undefined || terms.channelLink === channelLink) &&
      (productCode === undefined || terms.product.code === productCode) &&
      (status === undefined || its === status) &&
      (from === undefined || registeredAt >= from) &&
      (to === undefined || registeredAt < to);
    return structuredClone([...this.#sales.values()].filter(fits).reverse().slice(0, limit));
  }

  #earlier(clientId: string, key: string): EarlierSale | undefined {
    const known = this.#byKey.get(keyName(clientId, key));
    const sale = known && this.#sales.get(known.saleId);
    return known && sale && structuredClone({ sale, content: known.idempotency.content });
  }
}

const keyName = (clientId: string, key: string): string => JSON.stringify([clientId, key]);
