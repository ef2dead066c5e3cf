import { setTimeout as wait } from 'node:timers/promises';
import { describeFault } from '../application/describe-fault.ts';
import type { Service } from './parts.ts';

/** Pause between the steps in which notes are stored, ms; and after one that failed. */
const [PAUSE_MS, FAILED_PAUSE_MS] = [500, 5_000];

/** Max time in which the rest is stored when the process ends, ms. */
const LAST_MS = 5_000;

/** What a process notes in memory, to be stored together. */
interface Notes {
  flush(): Promise<void>;
  takeDropped(): number;
}

interface NoteLines {
  readonly dropped: string;
  readonly failed: string;
}

/**
 * Stores what this process notes of partners' requests, all the time. Returns a function that
 * stops it, and stores the rest.
 */
export const storeRequestNotes = ({ useCases, log }: Service): (() => Promise<void>) =>
  storeAllTheTime(useCases.noteRequests, log, {
    dropped: 'answers to requests were not noted',
    failed: 'answers to requests were not stored yet',
  });

/** The same for the alerts that this process raises. */
export const storeAlertNotes = ({ noteAlerts, log }: Service): (() => Promise<void>) =>
  storeAllTheTime(noteAlerts, log, {
    dropped: 'alerts were not noted',
    failed: 'alerts were not stored yet',
  });

const storeAllTheTime = (
  notes: Notes,
  log: Service['log'],
  lines: NoteLines,
): (() => Promise<void>) => {
  const stop = new AbortController();
  let isFailing = false;

  const flush = async (): Promise<void> => {
    const dropped = notes.takeDropped();
    if (dropped > 0) log.warn({ dropped }, lines.dropped);
    try {
      await notes.flush();
      isFailing = false;
    } catch (error) {
      const fault = describeFault(error);
      if (!isFailing) log.warn({ fault }, lines.failed);
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
