import { type Instant, instantOf } from '#domain';
import type { SaleJob, SaleJobs } from '../../../application/sales/sale-jobs.ts';
import type { Database } from '../engine/database.ts';
import { type Enqueue, statement } from '../engine/statement.ts';

interface Found {
  readonly jobs: number;
  readonly tries: number;
  readonly nextAt: Date | string | null;
}

/**
 * Reads the table of pg-boss: `retry_count` counts the tries after the first. The queues are those of
 * `adapters/jobs/queues.ts`. No index leads from a sale to its jobs: this is for single sales only.
 */
const findJob = statement<{ readonly saleId: number }, Found>(
  'find-sale-job',
  `
    select count(*)::int as jobs,
      max(case when started_on is null then 0 else retry_count + 1 end)::int as tries,
      min(start_after) filter (where state < 'active') as "nextAt"
    from jobs.job
    where name in ('resume-sale', 'await-payer') and state < 'completed'
      and data->>'saleId' = ($saleId::bigint)::text`,
  { isSlow: true },
);

export class DatabaseSaleJobs implements SaleJobs {
  readonly #database: Database;
  readonly #enqueue: Enqueue;

  constructor(database: Database, enqueue: Enqueue) {
    this.#database = database;
    this.#enqueue = enqueue;
  }

  async find(saleId: number): Promise<SaleJob | undefined> {
    const [found] = await this.#database.query(findJob, { saleId });
    if (found === undefined || found.jobs === 0) return undefined;
    const { tries, nextAt } = found;
    return { tries, nextAt: nextAt === null ? null : instantAt(nextAt) };
  }

  async ensure(saleId: number): Promise<void> {
    if ((await this.find(saleId)) !== undefined) return;
    const task = { kind: 'resume_sale', saleId } as const;
    await this.#database.transaction((inside) => this.#enqueue([task], inside));
  }
}

const instantAt = (stored: Date | string): Instant => instantOf(new Date(stored));
