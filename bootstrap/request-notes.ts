import { setTimeout as wait } from 'node:timers/promises';
import { describeFault } from '../application/describe-fault.ts';
import type { HttpService } from './http.ts';

/** Pause between the steps in which noted answers are stored, ms; and after one that failed. */
const [PAUSE_MS, FAILED_PAUSE_MS] = [500, 5_000];

/** Max time in which the rest is stored when the process ends, ms. */
const LAST_MS = 5_000;

/**
 * Stores what this process notes of partners' requests, all the time. Returns a function that
 * stops it, and stores the rest.
 */
export const storeRequestNotes = ({
  useCases: { noteRequests },
  log,
}: Pick<HttpService, 'useCases' | 'log'>): (() => Promise<void>) => {
  const stop = new AbortController();
  let isFailing = false;

  const flush = async (): Promise<void> => {
    const dropped = noteRequests.takeDropped();
    if (dropped > 0) log.warn({ dropped }, 'answers to requests were not noted');
    try {
      await noteRequests.flush();
      isFailing = false;
    } catch (error) {
      const fault = describeFault(error);
      if (!isFailing) log.warn({ fault }, 'answers to requests were not stored yet');
      isFailing = true;
    }
  };
  const flushAllTheTime = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const pauseMs = isFailing ? FAILED_PAUSE_MS : PAUSE_MS;
      await wait(pauseMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      await flush();
    }
  };
  const ended = flushAllTheTime();

  return async function stopStoring() {
    stop.abort();
    await Promise.race([ended, wait(LAST_MS, undefined, { ref: false })]);
  };
};
