import { readBearerToken } from '../../adapters/http/pipeline/context.ts';
import type { RunRequest } from '../../adapters/http/pipeline/request-log.ts';
import type { JobContext } from '../../adapters/jobs/job-context.ts';
import { currentRequestId, withRequestId } from '../../adapters/system/log.ts';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import type { Authenticate } from '../../application/identity/authenticate.ts';

/** Runs the work of a request under its id, by which all that it causes is found. */
export const runRequest: RunRequest = (request, work) =>
  withRequestId(request.state.applicant.requestId as string, work);

/**
 * Runs the work of a request under its id and in a span: of the caller's trace, if it brings an
 * access token. Otherwise a stranger could have each request traced, or join the traces of others.
 */
export const runTracedRequest =
  (tracing: Tracing, authenticate: Authenticate): RunRequest =>
  (request, work) =>
    runRequest(request, async () => {
      const traceparent = await callersTraceparent(request, authenticate);
      return tracing.traceRequest(request, traceparent, work);
    });

const callersTraceparent = async (
  { headers, state }: Parameters<RunRequest>[0],
  authenticate: Authenticate,
): Promise<string | undefined> => {
  const { traceparent, authorization = '' } = headers;
  if (typeof traceparent !== 'string') return undefined;
  const authenticated = async () => {
    const token = readBearerToken(authorization);
    return token !== undefined && (await authenticate(token)) !== undefined;
  };
  return state.caller !== undefined || (await authenticated().catch(() => false))
    ? traceparent
    : undefined;
};

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
