import { awaitsPolicy, type Instant, isCancelled, isCertified, outstandingRefunds } from '#domain';
import type { AlertRecords } from '../../../application/alerts/alert-records.ts';
import { toRaised } from '../../../application/alerts/raised-alert.ts';
import type {
  LateSale,
  LateSales,
  LegalClocks,
} from '../../../application/legal-clocks/legal-clocks.ts';
import type { Mailings } from '../../../application/mail/mailings.ts';
import type { Sales } from '../../../application/sales/sales.ts';

export class MemoryLegalClocks implements LegalClocks {
  readonly #sales: Sales;
  readonly #mailings: Mailings;
  readonly #alertRecords: AlertRecords;
  readonly #taken = new Set<string>();

  constructor(sales: Sales, mailings: Mailings, alertRecords: AlertRecords) {
    this.#sales = sales;
    this.#mailings = mailings;
    this.#alertRecords = alertRecords;
  }

  async takeLatePolicies(registeredBefore: Instant, now: Instant): Promise<LateSales> {
    const sales = await this.#sales.list({ to: registeredBefore, limit: Infinity });
    const late = sales.filter(awaitsPolicy);
    const found = late.map(({ id, registeredAt }) => ({ saleId: id, since: registeredAt }));
    return this.#take('policy_overdue', found, now);
  }

  async takeLateCertificates(dueBefore: Instant, now: Instant): Promise<LateSales> {
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
    return this.#take('certificate_overdue', late, now);
  }

  async takeLateRefunds(cancelledBefore: Instant, now: Instant): Promise<LateSales> {
    const ended = (await this.#sales.list({ limit: Infinity })).filter((sale) => isCancelled(sale));
    const late = ended
      .filter(({ cancelledAt }) => cancelledAt < cancelledBefore)
      .filter((sale) => outstandingRefunds(sale).some(({ chargeId }) => chargeId === undefined))
      .map(({ id, cancelledAt }) => ({ saleId: id, since: cancelledAt }));
    return this.#take('refund_unconfirmed', late, now);
  }

  async #take(
    kind: 'policy_overdue' | 'certificate_overdue' | 'refund_unconfirmed',
    found: readonly LateSale[],
    now: Instant,
  ): Promise<LateSales> {
    const late = found.filter(({ saleId }) => !this.#taken.has(`${kind} ${saleId}`));
    for (const { saleId } of late) this.#taken.add(`${kind} ${saleId}`);
    await this.#alertRecords.store(late.map((each) => toRaised({ kind, ...each }, now, undefined)));
    return { late, isComplete: true };
  }
}
