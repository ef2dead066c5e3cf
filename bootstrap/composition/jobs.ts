import { ContainerModule } from 'inversify';
import type { Logger } from 'pino';
import type { JobContext } from '../../adapters/jobs/job-context.ts';
import { JobQueue } from '../../adapters/jobs/queue.ts';
import { currentCause, withRequestId } from '../../adapters/system/log.ts';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { Cause } from '../../application/tasks.ts';
import { database, jobContext, jobs, log, tracing } from './infrastructure.ts';
import { builder, maybe } from './part.ts';

/** The queue of what has to happen later, in the database. */
export const jobsModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  build(jobContext, { tracing: maybe(tracing) }, (given) => makeJobContext(given.tracing));
  build(jobs, { database, log, context: jobContext }, (given) => {
    const { executor, isEmbedded } = given.database;
    const failed = warnSeldom(given.log, 'a job failed and will be done again');
    return new JobQueue({ executor, isEmbedded, failed, context: given.context });
  });
});

/** A job is done under the id of the request that caused it, or under its own; and in a span. */
const makeJobContext = (tracing: Tracing | undefined): JobContext => ({
  current: tracing === undefined ? currentCause : () => tracedCause(tracing),
  run: ({ id, queue, cause }, work) => {
    const requestId = cause?.requestId ?? `job-${id}`;
    const job = { id, queue, requestId, traceparent: cause?.traceparent };
    return withRequestId(requestId, tracing ? () => tracing.traceJob(job, work) : work);
  },
});

/** The current cause, with its trace. */
const tracedCause = (tracing: Tracing): Cause | undefined => {
  const cause = currentCause();
  const traceparent = tracing.currentTraceparent();
  return cause && traceparent !== undefined ? { ...cause, traceparent } : cause;
};

/** Time in which failures of one kind are one line: an outage makes every job fail, again and again. */
const WARN_EVERY_MS = 1_000;

/** Returns a function that logs the first failure in a second, and how many there were since. */
const warnSeldom = (logger: Logger, text: string): ((error: unknown) => void) => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let others = 0;
  return function warn(error) {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY_MS) {
      others += 1;
      return;
    }
    logger.warn({ fault: describeFault(error), ...(others > 0 && { others }) }, text);
    [warnedAt, others] = [now, 0];
  };
};
