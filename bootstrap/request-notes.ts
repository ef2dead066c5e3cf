import { setTimeout as wait } from 'node:timers/promises';
import { describeFault } from '../application/describe-fault.ts';
import type { HttpService } from './http.ts';

/** Pause between the steps in which noted answers are stored, ms. */
const PAUSE_MS = 500;

/**
 * Stores what this process notes of partners' requests, all the time. Returns a function that
 * stops it, and stores the rest.
 */
export const storeRequestNotes = ({
  useCases: { noteRequests },
  log,
}: Pick<HttpService, 'useCases' | 'log'>): (() => Promise<void>) => {
  const stop = new AbortController();

  const flush = async (): Promise<void> => {
    try {
      const dropped = await noteRequests.flush();
      if (dropped > 0) log.warn({ dropped }, 'answers to requests were not noted');
    } catch (error) {
      log.warn({ fault: describeFault(error) }, 'answers to requests were not stored yet');
    }
  };
  const flushAllTheTime = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await wait(PAUSE_MS, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      await flush();
    }
  };
  const ended = flushAllTheTime();

  return function stopStoring() {
    stop.abort();
    return ended;
  };
};
