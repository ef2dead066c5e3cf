import type { Instant } from '#domain';

/** The jobs that go on with a sale, taken together. */
export interface SaleJob {
  /** Tries so far, the running one included. */
  readonly tries: number;
  /** When it is tried next; null: it is being tried. */
  readonly nextAt: Instant | null;
}

/**
 * The jobs that go on with sales.
 *
 * 1. A sale whose next steps are queued has a job, which was not tried yet; another has none.
 * 2. `ensure` makes a job, to be done at once, unless there is one.
 */
export interface SaleJobs {
  find(saleId: number): Promise<SaleJob | undefined>;
  ensure(saleId: number): Promise<void>;
}
