import { setImmediate } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import type { DueEndpoint } from '../../application/webhooks/deliveries.ts';
import { type JobContext, NO_CONTEXT } from './job-context.ts';
import { createPace } from './pace.ts';
import { WEBHOOK_RUNS } from './queues.ts';
import type { Workers } from './workers.ts';

type Boss = Pick<PgBoss, 'insert' | 'fetch' | 'deleteJob' | 'fail' | 'touch'>;

type WebhookWorkers = Pick<Workers, 'dueEndpoints' | 'sendWebhooks'>;

interface RunJob {
  readonly endpointId: string;
}

/** A run of this process. */
interface OpenRun {
  readonly endpointId: string;
  readonly job: Job<RunJob>;
  /** ms of `performance.now()`. */
  readonly begunAt: number;
  /** When it began or the endpoint answered last, ms of `performance.now()`. */
  activeAt: number;
}

/** Endpoints that are looked at together; each has a job at most. */
const MOST_ENDPOINTS = 1_000;

/** A job whose process says nothing for some seconds is given to another one. */
const TOUCH_MS = 3_000;

/**
 * A run ends within 20 s, unless the database is away. It is given up after this time, before
 * pg-boss gives its job to another process (`expireInSeconds`).
 */
const LONGEST_RUN_MS = 60_000;

/** Max time in which runs end when the process stops. */
const STOP_MS = 5_000;

/**
 * Sends webhooks by jobs: one for each endpoint that has something due, in all processes together.
 *
 * The jobs are fetched here, because `work()` of pg-boss waits for all jobs that were fetched
 * together: an endpoint that hangs would hold up the others. A run counts against the limit while
 * it works; one that waits for a slow endpoint soon counts no more, because waiting costs nothing.
 */
export class WebhookRuns {
  readonly #lanes: readonly Lane[];
  readonly #workers: WebhookWorkers;
  #touchedAt = 0;

  constructor(
    boss: Boss,
    workers: WebhookWorkers,
    failed: (error: unknown) => void,
    context: JobContext = NO_CONTEXT,
  ) {
    this.#workers = workers;
    const parts = { boss, workers, failed, context };
    this.#lanes = WEBHOOK_RUNS.map((options) => new Lane({ ...parts, ...options }));
  }

  /** Stores a job for each endpoint that has something due, and begins as many as are allowed. */
  async look(): Promise<void> {
    await this.#touch();
    const due = await this.#workers.dueEndpoints(MOST_ENDPOINTS);
    await Promise.all(this.#lanes.map((lane) => lane.look(due)));
  }

  /** Begins nothing more, waits for running sends, and gives the jobs of the others back. */
  async stop(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  async #touch(): Promise<void> {
    if (performance.now() - this.#touchedAt < TOUCH_MS) return;
    this.#touchedAt = performance.now();
    await Promise.all(this.#lanes.map((lane) => lane.touch()));
  }
}

type LaneParts = (typeof WEBHOOK_RUNS)[number] & {
  readonly boss: Boss;
  readonly workers: WebhookWorkers;
  readonly failed: (error: unknown) => void;
  readonly context: JobContext;
};

/** The runs of endpoints that succeed, or of those that fail: each kind has its own limits. */
class Lane {
  readonly #parts: LaneParts;
  readonly #runs = new Set<OpenRun>();
  readonly #stopping = new AbortController();
  readonly #allowedNow: () => number;
  #allowed: number;
  /** Whether more jobs may wait than were fetched. */
  #hasMore = false;
  #beginning: Promise<void> | undefined;
  #ended: OpenRun[] = [];
  #settling: Promise<void> | undefined;

  constructor(parts: LaneParts) {
    this.#parts = parts;
    this.#allowed = parts.pace.max;
    this.#allowedNow = createPace(parts.pace);
  }

  async look(every: readonly DueEndpoint[]): Promise<void> {
    const { boss, queue, isFailing } = this.#parts;
    this.#giveUpOverdue();
    await this.#settle();
    const open = new Set([...this.#runs].map(({ endpointId }) => endpointId));
    const due = every.filter(({ id, ...each }) => each.isFailing === isFailing && !open.has(id));
    this.#allowed = this.#allowedNow();
    if (due.length === 0) return;

    const jobs = due.map(({ id }) => ({ data: { endpointId: id }, singletonKey: id }));
    // Endpoints that have a job keep it.
    await boss.insert(queue, jobs);
    this.#hasMore = true;
    await this.#begin();
  }

  async touch(): Promise<void> {
    const { boss, queue } = this.#parts;
    const jobs = [...this.#runs].map(({ job }) => job);
    if (jobs.length > 0) await boss.touch(queue, jobs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#hasMore = false;
    await this.#beginning?.catch(this.#parts.failed);
    const until = performance.now() + STOP_MS;
    while (this.#runs.size > 0 && performance.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 20));
    this.#ended.push(...this.#runs);
    await this.#settle().catch(this.#parts.failed);
  }

  /** A run that does not end, by a defect, keeps no slot from the others. */
  #giveUpOverdue(): void {
    const since = performance.now() - LONGEST_RUN_MS;
    for (const run of [...this.#runs].filter(({ begunAt }) => begunAt < since)) {
      this.#runs.delete(run);
      this.#ended.push(run);
      this.#parts.failed(new Error('a run that sends webhooks does not end'));
    }
  }

  /** Begins the jobs that wait, as far as the limits allow. */
  #begin(): Promise<void> {
    this.#beginning ??= this.#beginAllowed().finally(() => {
      this.#beginning = undefined;
    });
    return this.#beginning;
  }

  async #beginAllowed(): Promise<void> {
    const { boss, queue } = this.#parts;
    for (;;) {
      const at = performance.now();
      await wholeTurn();
      if (!this.#hasMore || this.#stopping.signal.aborted) return;
      const batchSize = this.#free(at);
      if (batchSize <= 0) return;
      const jobs = await boss.fetch<RunJob>(queue, { batchSize });
      this.#hasMore = jobs.length === batchSize;
      for (const job of jobs) void this.#run(job);
    }
  }

  /**
   * How many runs may begin.
   *
   * @param at before the last turn of the event loop: a turn can itself take longer than `activeMs`
   */
  #free(at: number): number {
    const { mostOpen, activeMs } = this.#parts;
    const since = at - activeMs;
    const active = [...this.#runs].filter(({ activeAt }) => activeAt > since).length;
    return Math.min(this.#allowed - active, mostOpen - this.#runs.size);
  }

  async #run(job: Job<RunJob>): Promise<void> {
    const { failed, activeMs, boss, queue } = this.#parts;
    const { endpointId } = job.data;
    const begunAt = performance.now();
    const run: OpenRun = { endpointId, job, begunAt, activeAt: begunAt };
    this.#runs.add(run);
    const resume = setTimeout(() => this.#beginMore(), activeMs + 1).unref();
    try {
      await this.#send(run);
      this.#ended.push(run);
    } catch (error) {
      failed(error);
      // Repeated after a growing pause. If the database is away, it is given back with the next look.
      await boss.fail(queue, job).catch(() => this.#ended.push(run));
    } finally {
      clearTimeout(resume);
      this.#runs.delete(run);
      this.#settle().catch(failed);
      this.#beginMore();
    }
  }

  async #send(run: OpenRun): Promise<void> {
    const { workers, isFailing, queue, context } = this.#parts;
    const { endpointId, job } = run;
    await context.run({ id: job.id, queue, cause: undefined }, async () => {
      await workers.sendWebhooks({
        endpointId,
        isFailing,
        stopping: this.#stopping.signal,
        onAnswered: () => {
          run.activeAt = performance.now();
        },
      });
      return 'done';
    });
  }

  #beginMore(): void {
    if (this.#hasMore) this.#begin().catch(this.#parts.failed);
  }

  /** Deletes the jobs that are done, all that have ended meanwhile at once. */
  #settle(): Promise<void> {
    this.#settling ??= this.#settleEnded().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  async #settleEnded(): Promise<void> {
    const { boss, queue } = this.#parts;
    while (this.#ended.length > 0) {
      const ended = this.#ended;
      this.#ended = [];
      try {
        await boss.deleteJob(
          queue,
          ended.map(({ job }) => job),
        );
      } catch (error) {
        // The next look tries again.
        this.#ended.push(...ended);
        throw error;
      }
    }
  }
}

/**
 * Waits for one turn of the event loop with its timers and its input. If the loop stood still, runs
 * whose answers have arrived meanwhile would else count as waiting for their endpoints.
 */
const wholeTurn = async (): Promise<void> => {
  await setImmediate();
  await setImmediate();
};
