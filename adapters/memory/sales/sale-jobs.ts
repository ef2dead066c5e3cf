import type { Clock } from '../../../application/clock.ts';
import type { SaleJob, SaleJobs } from '../../../application/sales/sale-jobs.ts';
import type { MemorySales } from './sales.ts';

/** The jobs of sales in memory, which are due at once and count no tries. */
export class MemorySaleJobs implements SaleJobs {
  readonly #due: number[];
  readonly #clock: Clock;

  constructor({ due }: Pick<MemorySales, 'due'>, clock: Clock) {
    this.#due = due;
    this.#clock = clock;
  }

  async find(saleId: number): Promise<SaleJob | undefined> {
    return this.#due.includes(saleId) ? { tries: 0, nextAt: this.#clock.now() } : undefined;
  }

  async ensure(saleId: number): Promise<void> {
    if (!this.#due.includes(saleId)) this.#due.push(saleId);
  }
}
