import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it starts, as the work of a request or job with this id. */
export const withRequestId = <Result>(requestId: string, work: () => Result): Result =>
  requestIds.run(requestId, work);

/** The id of the request or job whose work this is; undefined outside of any. */
export const currentRequestId = (): string | undefined => requestIds.getStore();
