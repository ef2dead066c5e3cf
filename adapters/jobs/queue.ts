import { setTimeout as wait } from 'node:timers/promises';
import { type Db, type JobInsert, type JobWithMetadata, PgBoss, type SendOptions } from 'pg-boss';
import type { Cause, Task } from '../../application/tasks.ts';
import { causeIn, type JobContext, NO_CONTEXT } from './job-context.ts';
import { createPace, repeat } from './pace.ts';
import {
  AWAIT,
  DELIVERY,
  EVENTS_PAUSE_MS,
  LEGAL_CLOCKS_PAUSE_MS,
  MAILS,
  NOTICE,
  QUEUES,
  REPLAY,
  RESUME,
  SEARCH_PAUSE_MS,
  SETTLE_PAUSE_MS,
  TELL_PAUSE_MS,
  TOTALS_PAUSE_MS,
} from './queues.ts';
import { WebhookRuns } from './webhook-runs.ts';
import type { Delivery, JobOutcome, Workers } from './workers.ts';

interface QueueParts {
  readonly executor: Db;
  readonly isEmbedded: boolean;
  /** Must not log messages of errors: those of the library may hold SQL and values. */
  readonly failed: (error: unknown) => void;
  /** The context of jobs. Default: jobs have no cause and no id. */
  readonly context?: JobContext;
}

/**
 * Time until a sale is looked at that waits for its payer; a notice of the gateway is usually
 * faster.
 */
const FIRST_LOOK_SECONDS = 60;

/** A sale is reported as stuck after each 25 tries. */
const STUCK_TRIES = 25;

/** Longest wait when a process stops, ms. A mail server may take minutes. */
const MAX_STOP_MS = 10_000;

const LOOK_SECONDS = 0.5;

/** No job has this id. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Jobs in the database (pg-boss), each stored in the transaction of the change that causes it. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #parts: QueueParts;
  readonly #context: JobContext;
  /** Stop what is repeated. */
  #stops: readonly (() => Promise<void>)[] = [];
  #webhooks: WebhookRuns | undefined;
  #lookSeconds = LOOK_SECONDS;

  constructor(parts: QueueParts) {
    this.#parts = parts;
    this.#context = parts.context ?? NO_CONTEXT;
    const quiet = {
      schema: 'jobs',
      createSchema: false,
      schedule: false,
      reindex: false,
      monitorVacuum: false,
      queueCacheIntervalSeconds: 86_400,
    };
    const watch = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };
    this.#boss = new PgBoss({
      ...quiet,
      ...watch,
      db: parts.executor,
      ...(parts.isEmbedded && { backend: 'pglite' }),
    });
    this.#boss.on('error', parts.failed);
  }

  /** Creates or updates the tables of pg-boss. One process at a time. */
  async prepare(): Promise<void> {
    // pg-boss would ask for the right to create schemas, also where the schema is there.
    const { executeSql } = this.#parts.executor;
    const { rows } = await executeSql(`select to_regnamespace('jobs') is null as "isMissing"`, []);
    if ((rows as { isMissing: boolean }[])[0]?.isMissing) await executeSql('create schema jobs');
    await this.#boss.start();
    for (const { name, policy, ...options } of QUEUES) {
      await this.#boss.createQueue(name, { ...options, ...(policy && { policy }) });
      await this.#boss.updateQueue(name, options);
      // Loads the queue into pg-boss's cache, because inside a transaction it cannot be loaded.
      await this.#boss.getJobById(name, NO_JOB);
    }
    // Jobs that are active at start were left by a process that was killed: an embedded database
    // serves one process at a time.
    const retryOrphans = `
      update jobs.job set state = 'retry', start_after = now() where state = 'active'`;
    if (this.#parts.isEmbedded) await this.#parts.executor.executeSql(retryOrphans, []);
  }

  /**
   * @param isSelling whether the process serves requests as well, which go before mails
   * @param lookSeconds time between two looks for jobs, of each worker
   */
  async work(workers: Workers, isSelling = false, lookSeconds = LOOK_SECONDS): Promise<void> {
    this.#lookSeconds = lookSeconds;
    await this.#serve<{ saleId: number }>(RESUME, 4, async ({ saleId }, tries) => {
      const stuck = tries < STUCK_TRIES ? undefined : await workers.findStuck(saleId);
      const outcome = await workers.resumeSale(saleId);
      if (typeof outcome === 'object') {
        const { closesAt } = outcome;
        await this.#resend(AWAIT, saleId, { startAfter: FIRST_LOOK_SECONDS });
        if (closesAt !== undefined)
          await this.#resend(RESUME, saleId, { startAfter: new Date(closesAt) });
      }
      if (outcome === 'later' && tries > 0 && tries % STUCK_TRIES === 0)
        await workers.stuck(saleId, tries);
      if (outcome !== 'later' && stuck !== undefined) await workers.unstuck(stuck, tries);
      return outcome === 'later' ? outcome : 'done';
    });
    await this.#serve<{ saleId: number }>(AWAIT, 1, async ({ saleId }) => {
      const outcome = await workers.resumeSale(saleId);
      if (typeof outcome === 'object') return 'later';
      // The payer has paid, or another worker has the sale: retry soon, not after hours.
      if (outcome === 'later') await this.#resend(RESUME, saleId);
      return 'done';
    });
    await this.#serve<{ noticeId: string; gateway?: string }>(NOTICE, 2, ({ noticeId, gateway }) =>
      workers.processNotice(noticeId, gateway),
    );
    await this.#serve<Delivery>(DELIVERY, 1, (delivery) => workers.deliver(delivery));
    const mailsNow = isSelling ? createPace(MAILS) : () => MAILS.max;
    const replayedNow = createPace(REPLAY);
    const { failed } = this.#parts;
    const webhooks = new WebhookRuns(this.#boss, workers, failed, this.#context);
    this.#webhooks = webhooks;
    this.#stops = [
      repeat(MAILS.pauseMs, () => sendMails(workers, mailsNow()), failed),
      repeat(EVENTS_PAUSE_MS, () => tellPartners(workers, webhooks), failed),
      repeat(REPLAY.pauseMs, () => replayStep(workers, replayedNow()), failed),
      repeat(LEGAL_CLOCKS_PAUSE_MS, () => workers.watchLegalClocks(), failed),
      repeat(SEARCH_PAUSE_MS, () => follow(workers.followSales()), failed),
      repeat(TOTALS_PAUSE_MS, () => follow(workers.followBookings()), failed),
      repeat(SETTLE_PAUSE_MS, () => workers.settleAlerts(), failed),
      repeat(TELL_PAUSE_MS, () => tellOperators(workers), failed),
    ];
  }

  /** Stores the jobs of tasks inside a transaction. */
  readonly enqueue = async (tasks: readonly Task[], inside: Db): Promise<void> => {
    const current = this.#context.current();
    const stored = tasks.map((task) => jobOf(task, task.cause ?? current));
    for (const [queue, jobs] of Map.groupBy(stored, ([name]) => name))
      await this.#boss.insert(
        queue,
        jobs.map(([, job]) => job),
        { db: inside },
      );
  };

  async enqueueDelivery(delivery: Delivery, seconds: number): Promise<void> {
    const data = { ...delivery, ...this.#context.current() };
    await this.#boss.send(DELIVERY, data, { startAfter: seconds });
  }

  /** Has the sale of a job looked at again. The next job has the same cause. */
  async #resend(queue: string, saleId: number, options: SendOptions = {}): Promise<void> {
    await this.#boss.send(queue, { saleId, ...this.#context.current() }, options);
  }

  /** Waits up to 10 s for what is running, and as long for running jobs. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.#stops.map((stop) => stop()));
    await Promise.race([stopped, wait(MAX_STOP_MS, undefined, { ref: false })]);
    await this.#webhooks?.stop();
    await this.#boss.stop({ graceful: true, timeout: MAX_STOP_MS, close: false });
  }

  async #serve<Data extends object>(
    queue: string,
    localConcurrency: number,
    work: (data: Data, tries: number, job: JobWithMetadata<Data>) => Promise<JobOutcome>,
  ): Promise<void> {
    const options = {
      ...{ pollingIntervalSeconds: this.#lookSeconds, burstWhenBatchFull: true, batchSize: 5 },
      localConcurrency,
      perJobResults: true,
      includeMetadata: true,
    } as const;
    const doOne = async (job: JobWithMetadata<Data>) => {
      const { id } = job;
      const done = await this.#context.run({ id, queue, cause: causeIn(job.data) }, () =>
        work(job.data, job.retryCount, job).catch((error: unknown) => {
          this.#parts.failed(error);
          return 'later' as const;
        }),
      );
      const status = done === 'done' ? 'completed' : 'failed';
      return { id, status, ...(done === 'later' && { output: { outcome: done } }) } as const;
    };
    await this.#boss.work(queue, options, (jobs: JobWithMetadata<Data>[]) =>
      Promise.all(jobs.map(doOne)),
    );
  }
}

/**
 * Gives places to new events, and sends them at once.
 *
 * @returns the pause after which to look again, if it is not the usual one
 */
const tellPartners = async (
  workers: Workers,
  webhooks: WebhookRuns,
): Promise<number | undefined> => {
  try {
    return (await workers.givePlaces()) === 'more' ? 0 : undefined;
  } finally {
    await webhooks.look();
  }
};

/** @returns the pause before the next step, if there may be one */
const sendMails = async (workers: Workers, limit: number): Promise<number | undefined> => {
  const taken = await workers.sendMails(limit);
  return taken < limit || limit <= MAILS.inRush ? undefined : 0;
};

/** @returns the pause before the next step, if there may be one */
const replayStep = async (workers: Workers, limit: number): Promise<number | undefined> =>
  (await workers.replayEvents(limit)) === 'more' ? REPLAY.stepPauseMs : undefined;

/** @returns the pause before the next step, if there may be one */
const follow = async (step: Promise<'more' | 'done'>): Promise<number | undefined> =>
  (await step) === 'more' ? 0 : undefined;

/** @returns the pause before the next step, if there may be one */
const tellOperators = async (workers: Workers): Promise<number | undefined> =>
  (await workers.notifyOperators()) === 'more' ? 0 : undefined;

/** The queue for a task, and the job in it. */
const jobOf = (task: Task, cause: Cause | undefined): readonly [string, JobInsert] => {
  if (task.kind === 'process_notice')
    return [NOTICE, { data: { noticeId: task.noticeId, gateway: task.gateway, ...cause } }];
  const { saleId, notBefore } = task;
  const data = { saleId, ...cause };
  return [RESUME, { data, ...(notBefore !== undefined && { startAfter: new Date(notBefore) }) }];
};
