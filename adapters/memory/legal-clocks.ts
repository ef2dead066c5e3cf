import { awaitsPolicy, type Instant, isCertified } from '#domain';
import type { Mailings } from '../../application/mail/mailings.ts';
import type { LateSale, LateSales, LegalClocks } from '../../application/sales/legal-clocks.ts';
import type { Sales } from '../../application/sales/sales.ts';

export class MemoryLegalClocks implements LegalClocks {
  readonly #sales: Sales;
  readonly #mailings: Mailings;
  readonly #taken = new Set<string>();

  constructor(sales: Sales, mailings: Mailings) {
    this.#sales = sales;
    this.#mailings = mailings;
  }

  async takeLatePolicies(registeredBefore: Instant): Promise<LateSales> {
    const sales = await this.#sales.list({ to: registeredBefore, limit: Infinity });
    const late = sales.filter(awaitsPolicy);
    return this.#take(
      'policy',
      late.map(({ id, registeredAt }) => ({ saleId: id, since: registeredAt })),
    );
  }

  async takeLateCertificates(dueBefore: Instant): Promise<LateSales> {
    const late: LateSale[] = [];
    for (const { id } of await this.#sales.list({ limit: Infinity })) {
      const sale = await this.#sales.load(id);
      const mails = await this.#mailings.list({ saleId: id, limit: Infinity });
      const first = mails.find(({ number }) => number === 0);
      const isSent = mails.some(({ number, status }) => number >= 0 && status === 'sent');
      if (!sale || !isCertified(sale) || !first || isSent) continue;
      if (first.status !== 'withdrawn' && first.requestedAt < dueBefore)
        late.push({ saleId: id, since: first.requestedAt });
    }
    return this.#take('certificate', late);
  }

  #take(clock: string, found: readonly LateSale[]): LateSales {
    const late = found.filter(({ saleId }) => !this.#taken.has(`${clock} ${saleId}`));
    for (const { saleId } of late) this.#taken.add(`${clock} ${saleId}`);
    return { late, isComplete: true };
  }
}
