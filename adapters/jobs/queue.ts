import { setTimeout } from 'node:timers/promises';
import { type Db, type JobWithMetadata, PgBoss, type Queue, type WorkOptions } from 'pg-boss';
import type { Instant } from '#domain';
import type { MailingName } from '../../application/mail/mailings.ts';
import type { Task } from '../../application/tasks.ts';

/** What came of a job: done, to be done again later, or never to be done, and why. */
export type JobOutcome = 'done' | 'later';
type MailOutcome = { readonly kind: 'done' } | { readonly kind: 'later' | 'refused'; readonly reason: string };

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
  mail(name: MailingName): Promise<MailOutcome>;
  /** A mail was refused for good, or has been tried often enough. */
  giveUpMail(name: MailingName, reason: string): Promise<void>;
  /** Hands over the mails that wait; how many they were. */
  handOverMail(): Promise<number>;
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
const MAIL = 'send-mail';
const UNDELIVERED = 'undelivered-mail';

/** Nothing is given up: what waits for a payer or a provider that is down waits as long as they take. */
const PATIENT = {
  retryLimit: 2_147_483_647,
  retentionSeconds: 2_147_483_647,
  deleteAfterSeconds: 86_400,
  retryBackoff: true,
  // A process that was killed in the middle of a job is noticed after this.
  expireInSeconds: 120,
} satisfies Omit<Queue, 'name'>;

/** A mail is tried for some two days, in the end every half hour: as long as mail servers do (RFC 5321, section 4.5.4.1). */
const MAIL_TRIES = { retryLimit: 110, retryDelay: 2, retryDelayMax: 1_800, deadLetter: UNDELIVERED, expireInSeconds: 900 };

/** Seconds between two tries, at first and at most. */
const QUEUES = [
  { name: RESUME, ...PATIENT, retryDelay: 1, retryDelayMax: 600 },
  { name: AWAIT, ...PATIENT, retryDelay: 60, retryDelayMax: 3_600 },
  { name: NOTICE, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: DELIVERY, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: UNDELIVERED, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: MAIL, ...PATIENT, ...MAIL_TRIES },
];

/** Seconds until a payer is asked for first: a notice is usually faster. */
const FIRST_LOOK = 60;

/** After so many tries, and again after as many more, somebody is told. */
const WORTH_A_LOOK = 25;

/** Whoever asked for a second copy waits for it; new certificates may be thousands. */
const priorityOf = ({ number }: MailingName): number => (number === 0 ? 0 : 10);

/** So many mails a second are sent by a process, at most: mail servers have limits, and selling goes first. */
const MAIL_PACE = { pollingIntervalSeconds: 1, batchSize: 3, localConcurrency: 3, burstWhenBatchFull: false };

/** Milliseconds between two looks for mails that wait. */
const HAND_OVER_PAUSE = 1_000;

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Work that waits in the database itself, and is stored together with what makes it necessary. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #parts: QueueParts;
  #stopHandingOver = async (): Promise<void> => {};

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
    await this.#serve<MailingName>(MAIL, MAIL_PACE, (name) => workers.mail(name));
    await this.#serve<MailingName>(
      UNDELIVERED,
      { pollingIntervalSeconds: 5 },
      async ({ saleId, number }, _, { sourceOutput }) => {
        await workers.giveUpMail({ saleId, number }, (sourceOutput as { reason?: string } | null)?.reason ?? 'unknown');
        return 'done';
      },
    );
    this.#stopHandingOver = repeated(HAND_OVER_PAUSE, () => workers.handOverMail(), this.#parts.failed);
  }

  /** Remembers a task inside a transaction. */
  async enqueue(task: Task, inside: Db): Promise<void> {
    if (task.kind === 'process_notice') await this.#boss.send(NOTICE, { noticeId: task.noticeId }, { db: inside });
    else await this.#boss.send(RESUME, { saleId: task.saleId }, { db: inside, ...after(task.notBefore) });
  }

  /** Takes over mails inside the transaction that writes it down. */
  async enqueueMails(names: readonly MailingName[], inside: Db): Promise<void> {
    const jobs = names.map((name) => ({ data: name, priority: priorityOf(name) }));
    await this.#boss.insert(MAIL, jobs, { db: inside });
  }

  async enqueueDelivery(delivery: Delivery, seconds: number): Promise<void> {
    await this.#boss.send(DELIVERY, delivery, { startAfter: seconds });
  }

  /** Lets what is being done finish, for a while. */
  async stop(): Promise<void> {
    await this.#stopHandingOver();
    await this.#boss.stop({ graceful: true, timeout: 10_000, close: false });
  }

  async #serve<Data extends object>(
    queue: string,
    pace: number | WorkOptions,
    work: (data: Data, tries: number, job: JobWithMetadata<Data>) => Promise<JobOutcome | MailOutcome>,
  ): Promise<void> {
    const usual = { pollingIntervalSeconds: 0.5, burstWhenBatchFull: true, batchSize: 5 };
    const polling = { ...usual, ...(typeof pace === 'number' ? { localConcurrency: pace } : pace) };
    const options = { ...polling, perJobResults: true, includeMetadata: true } as const;
    const doOne = async (job: JobWithMetadata<Data>) => {
      const { id } = job;
      const done = await work(job.data, job.retryCount, job).catch((error: unknown) => {
        this.#parts.failed(error);
        return { kind: 'later', reason: 'failed' } as const;
      });
      const { kind, reason } = typeof done === 'string' ? { kind: done, reason: undefined } : { reason: undefined, ...done };
      if (kind === 'done') return { id, status: 'completed' } as const;
      return { id, status: kind === 'refused' ? 'deadletter' : 'failed', output: { outcome: kind, reason } } as const;
    };
    await this.#boss.work(queue, options, (jobs: JobWithMetadata<Data>[]) => Promise.all(jobs.map(doOne)));
  }
}

const after = (instant: Instant | undefined) => (instant === undefined ? {} : { startAfter: new Date(instant) });

/** Does `work` again and again, at once where it found something, else after a pause. Returns what ends it, once it is at rest. */
const repeated = (pause: number, work: () => Promise<number>, failed: (error: unknown) => void): (() => Promise<void>) => {
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const found = await work().catch((error: unknown) => {
        failed(error);
        return 0;
      });
      if (found === 0) await setTimeout(pause, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return () => {
    ended.abort();
    return running;
  };
};
