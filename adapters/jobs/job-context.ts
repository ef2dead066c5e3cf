import type { Cause } from '../../application/tasks.ts';
import type { JobOutcome } from './workers.ts';

/** A job whose work begins. */
interface BegunJob {
  readonly id: string;
  readonly queue: string;
  /** What stored the job; undefined for one that no request caused. */
  readonly cause: Cause | undefined;
}

/** Under which id jobs are done and stored. */
export interface JobContext {
  /** The cause of what is stored now; undefined outside of any request and job. */
  current(): Cause | undefined;
  /** Runs the work of a job, and all that it starts, under the id of its cause or its own. */
  run<Outcome extends JobOutcome>(job: BegunJob, work: () => Promise<Outcome>): Promise<Outcome>;
}

/** A context for a queue that is used alone. */
export const NO_CONTEXT: JobContext = {
  current: () => undefined,
  run: (_, work) => work(),
};

/** The form of a request id in the data of a job. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The cause in a job's data; undefined if none is stored. */
export const causeIn = (data: object): Cause | undefined => {
  const { requestId, traceparent } = data as { requestId?: unknown; traceparent?: unknown };
  if (typeof requestId !== 'string' || !REQUEST_ID.test(requestId)) return undefined;
  return { requestId, ...(typeof traceparent === 'string' && { traceparent }) };
};
