import type { RunRequest } from '../adapters/http/pipeline/finish-request.ts';
import type { JobContext } from '../adapters/jobs/job-context.ts';
import { currentRequestId, withRequestId } from '../adapters/system/request-context.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';

/** Runs the work of a request under its id, by which all that it causes is found. */
export const runRequest: RunRequest = (request, work) =>
  withRequestId(request.state.applicant.requestId as string, work);

/** Runs the work of a request under its id and in a span. */
export const runTracedRequest =
  (tracing: Tracing): RunRequest =>
  (request, work) =>
    runRequest(request, () => tracing.traceRequest(request, work));

/** A job is done under the id of the request that caused it, or under its own; and in a span. */
export const makeJobContext = (tracing: Tracing | undefined): JobContext => ({
  current: () => {
    const requestId = currentRequestId();
    if (requestId === undefined) return undefined;
    const traceparent = tracing?.currentTraceparent();
    return { requestId, ...(traceparent !== undefined && { traceparent }) };
  },
  run: ({ id, queue, cause }, work) => {
    const requestId = cause?.requestId ?? `job-${id}`;
    const job = { id, queue, requestId, traceparent: cause?.traceparent };
    return withRequestId(requestId, tracing ? () => tracing.traceJob(job, work) : work);
  },
});
