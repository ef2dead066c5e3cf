import type { RunRequest } from '../adapters/http/pipeline/finish-request.ts';
import type { JobContext } from '../adapters/jobs/job-context.ts';
import { currentRequestId, withRequestId } from '../adapters/system/request-context.ts';

/** Runs the work of a request under its id, by which all that it causes is found. */
export const runRequest: RunRequest = (request, work) =>
  withRequestId(request.state.applicant.requestId as string, work);

/** A job is done under the id of the request that caused it, or under its own. */
export const jobContext: JobContext = {
  current: () => {
    const requestId = currentRequestId();
    return requestId === undefined ? undefined : { requestId };
  },
  run: ({ id, cause }, work) => withRequestId(cause?.requestId ?? `job-${id}`, work),
};
