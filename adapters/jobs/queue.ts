import { type Db, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import type { Instant } from '#domain';
import type { Task } from '../../application/tasks.ts';

/** What came of a job: done, or to be done again later. */
export type JobOutcome = 'done' | 'later';

/** A sale that waits for its payer is asked for now and then, apart from those for which something has to be done. */
type ResumeOutcome = JobOutcome | 'await_payer';

/** A notice of the gateway that the service plays itself, on its way to the service. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly reference: string;
  readonly chargeId: string;
}

/** Who does the work; whatever throws is done again later. */
export interface Workers {
  resumeSale(id: number): Promise<ResumeOutcome>;
  /** A sale has been tried so often, in vain. */
  stuck(saleId: number, tries: number): void;
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
const AWAIT = 'await-payer';
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

/** Seconds between two tries, at first and at most. */
const QUEUES = [
  { name: RESUME, ...PATIENT, retryDelay: 1, retryDelayMax: 600 },
  { name: AWAIT, ...PATIENT, retryDelay: 60, retryDelayMax: 3_600 },
  { name: NOTICE, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: DELIVERY, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
];

/** Seconds until a payer is asked for first: a notice is usually faster. */
const FIRST_LOOK = 60;

/** After so many tries, and again after as many more, somebody is told. */
const WORTH_A_LOOK = 25;

const NO_JOB = '00000000-0000-0000-0000-000000000000';

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
      await this.#boss.getJobById(name, NO_JOB);
    }
    // An embedded database serves one process: whatever it left active was left behind by a process that is gone.
    const orphans = `update jobs.job set state = 'retry', start_after = now() where state = 'active'`;
    if (this.#parts.isEmbedded) await this.#parts.executor.executeSql(orphans, []);
  }

  async work(workers: Workers): Promise<void> {
    await this.#serve<{ saleId: number }>(RESUME, 4, async ({ saleId }, tries) => {
      const outcome = await workers.resumeSale(saleId);
      if (outcome === 'await_payer') await this.#boss.send(AWAIT, { saleId }, { startAfter: FIRST_LOOK });
      if (outcome === 'later' && tries > 0 && tries % WORTH_A_LOOK === 0) workers.stuck(saleId, tries);
      return outcome === 'later' ? outcome : 'done';
    });
    await this.#serve<{ saleId: number }>(AWAIT, 1, async ({ saleId }) => {
      const outcome = await workers.resumeSale(saleId);
      if (outcome === 'await_payer') return 'later';
      // Somebody has paid, or is at it: from now on it is not to wait for hours.
      if (outcome === 'later') await this.#boss.send(RESUME, { saleId });
      return 'done';
    });
    await this.#serve<{ noticeId: string }>(NOTICE, 2, ({ noticeId }) => workers.processNotice(noticeId));
    await this.#serve<Delivery>(DELIVERY, 1, (delivery) => workers.deliver(delivery));
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

  async #serve<Data extends object>(
    queue: string,
    localConcurrency: number,
    work: (data: Data, tries: number) => Promise<JobOutcome>,
  ): Promise<void> {
    const polling = { pollingIntervalSeconds: 0.5, burstWhenBatchFull: true, localConcurrency, batchSize: 5 };
    const options = { ...polling, perJobResults: true, includeMetadata: true } as const;
    const doOne = async ({ id, data, retryCount }: JobWithMetadata<Data>) => {
      const outcome = await work(data, retryCount).catch((error: unknown) => {
        this.#parts.failed(error);
        return 'later' as const;
      });
      return outcome === 'done'
        ? ({ id, status: 'completed' } as const)
        : ({ id, status: 'failed', output: { outcome } } as const);
    };
    await this.#boss.work(queue, options, (jobs: JobWithMetadata<Data>[]) => Promise.all(jobs.map(doOne)));
  }
}

const after = (instant: Instant | undefined) => (instant === undefined ? {} : { startAfter: new Date(instant) });
