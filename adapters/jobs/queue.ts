import { type Db, type Job, PgBoss, type Queue } from 'pg-boss';
import type { Instant } from '#domain';
import type { Task } from '../../application/tasks.ts';

/** What came of a job: done, or to be done again later. */
export type JobOutcome = 'done' | 'later';

/** A notice of the gateway that the service plays itself, on its way to the service. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly reference: string;
  readonly chargeId: string;
}

/** Who does the work; whatever throws is done again later. */
export interface Workers {
  resumeSale(id: number): Promise<JobOutcome>;
  processNotice(id: string): Promise<JobOutcome>;
  deliver(delivery: Delivery): Promise<JobOutcome>;
}

interface QueueParts {
  readonly executor: Db;
  readonly isEmbedded: boolean;
  /** Told of what goes wrong, by name and code alone: the library's own words may hold SQL and values. */
  readonly failed: (error: unknown) => void;
}

const RESUME = 'resume-sale';
const NOTICE = 'process-notice';
const DELIVERY = 'sandbox-notice';

/** Nothing is given up: what waits for a payer or a provider that is down waits as long as they take. */
const PATIENT = {
  retryLimit: 2_147_483_647,
  retentionSeconds: 2_147_483_647,
  deleteAfterSeconds: 86_400,
  retryBackoff: true,
  // A process that was killed in the middle of a job is noticed after this.
  expireInSeconds: 120,
} satisfies Omit<Queue, 'name'>;

/** Seconds between two tries, at most. Whoever awaits a payer asks the gateway as seldom as that. */
const QUEUES = [
  { name: RESUME, ...PATIENT, retryDelay: 1, retryDelayMax: 600 },
  { name: NOTICE, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: DELIVERY, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
];

/** Work that waits in the database itself, and is stored together with what makes it necessary. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #parts: QueueParts;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    const quiet = { schema: 'jobs', schedule: false, reindex: false, monitorVacuum: false, queueCacheIntervalSeconds: 86_400 };
    const watch = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };
    this.#boss = new PgBoss({ ...quiet, ...watch, db: parts.executor, ...(parts.isEmbedded && { backend: 'pglite' }) });
    this.#boss.on('error', parts.failed);
  }

  /** Makes or updates the tables; one process at a time. */
  async prepare(): Promise<void> {
    await this.#boss.start();
    for (const { name, ...options } of QUEUES) {
      await this.#boss.createQueue(name, options);
      await this.#boss.updateQueue(name, options);
      // What is known of a queue is asked for once, now: inside a transaction it could not be.
      await this.#boss.getQueueStats(name);
    }
    // An embedded database serves one process: whatever it left active was left behind by a process that is gone.
    const orphans = `update jobs.job set state = 'retry', start_after = now() where state = 'active'`;
    if (this.#parts.isEmbedded) await this.#parts.executor.executeSql(orphans, []);
  }

  async work(workers: Workers): Promise<void> {
    await this.#serve<{ saleId: number }>(RESUME, ({ saleId }) => workers.resumeSale(saleId));
    await this.#serve<{ noticeId: string }>(NOTICE, ({ noticeId }) => workers.processNotice(noticeId));
    await this.#serve<Delivery>(DELIVERY, (delivery) => workers.deliver(delivery));
  }

  /** Remembers a task inside a transaction. */
  async enqueue(task: Task, inside: Db): Promise<void> {
    if (task.kind === 'process_notice') await this.#boss.send(NOTICE, { noticeId: task.noticeId }, { db: inside });
    else await this.#boss.send(RESUME, { saleId: task.saleId }, { db: inside, ...after(task.notBefore) });
  }

  async enqueueDelivery(delivery: Delivery, seconds: number): Promise<void> {
    await this.#boss.send(DELIVERY, delivery, { startAfter: seconds });
  }

  /** Lets what is being done finish, for a while. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 10_000, close: false });
  }

  async #serve<Data extends object>(queue: string, work: (data: Data) => Promise<JobOutcome>): Promise<void> {
    const options = { pollingIntervalSeconds: 0.5, batchSize: 10, perJobResults: true } as const;
    const doOne = async ({ id, data }: Job<Data>) => {
      const outcome = await work(data).catch((error: unknown) => {
        this.#parts.failed(error);
        return 'later' as const;
      });
      return outcome === 'done'
        ? ({ id, status: 'completed' } as const)
        : ({ id, status: 'failed', output: { outcome } } as const);
    };
    await this.#boss.work<Data>(queue, options, (jobs: Job<Data>[]) => Promise.all(jobs.map(doOne)));
  }
}

const after = (instant: Instant | undefined) => (instant === undefined ? {} : { startAfter: new Date(instant) });
