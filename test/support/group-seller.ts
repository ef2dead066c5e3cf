import { expect } from 'chai';
import { SALE } from './generic-sales.ts';
import { type GroupedService, ticketOrder } from './grouped-service.ts';
import type { Partner } from './service.ts';
import { within } from './stores.ts';

/** Registers one sale after the other of a partner, each under its own name, until it is stopped. */
export class GroupSeller {
  readonly statuses: number[] = [];
  /** By their names. */
  readonly sold = new Map<string, number>();
  readonly retryAfter: (string | null)[] = [];
  /** Between two of its sales. */
  longestGapMs = 0;
  #lastAt = performance.now();
  #isOver = false;
  readonly #selling: Promise<void>;

  constructor(service: GroupedService, partner: Partner, name: string) {
    this.#selling = this.#sell(service, partner, name);
  }

  async #sell(service: GroupedService, partner: Partner, name: string): Promise<void> {
    for (let order = 1; !this.#isOver; order += 1) {
      const externalSaleId = `${name}-${order}`;
      const answer = await service.post(partner, SALE, ticketOrder({ externalSaleId }));
      this.statuses.push(answer.status);
      const body = (await answer.json()) as { data?: { transaction_id: number } };
      if (body.data === undefined) {
        this.retryAfter.push(answer.headers.get('Retry-After'));
        continue;
      }
      this.sold.set(externalSaleId, body.data.transaction_id);
      const now = performance.now();
      this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAt);
      this.#lastAt = now;
    }
  }

  /** Waits for so many more answers of a kind. */
  async more(count: number, fits: (status: number) => boolean): Promise<void> {
    const from = this.statuses.length;
    const found = await within(
      async () => this.statuses.slice(from).filter(fits).length,
      (number) => number >= count,
    );
    expect(found).to.be.at.least(count);
  }

  stop(): Promise<void> {
    this.#isOver = true;
    return this.#selling;
  }
}
