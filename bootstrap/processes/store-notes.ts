import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BackgroundNotes } from '../../application/background-notes.ts';
import { describeFault } from '../../application/describe-fault.ts';
import { requestNotes } from '../composition/channel-use-cases.ts';
import { log } from '../composition/infrastructure.ts';
import { alertNotes, providerCallNotes } from '../composition/observed.ts';
import type { Given } from '../composition/part.ts';

/** Pause between the steps in which notes are stored, ms; and after one that failed. */
const [PAUSE_MS, FAILED_PAUSE_MS] = [500, 5_000];

/** Max time in which the rest is stored when the process ends, ms. */
const LAST_MS = 5_000;

export const NOTES = { requestNotes, providerCallNotes, alertNotes, log };

interface Stored {
  readonly notes: BackgroundNotes;
  readonly log: Logger;
  /** The log lines for notes that were dropped, and for notes that could not be stored yet. */
  readonly lines: { readonly dropped: string; readonly late: string };
}

/** Stores notes, all the time. Returns a function that stops it, and stores the rest. */
const storeAllTheTime = ({ notes, log, lines }: Stored): (() => Promise<void>) => {
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
      if (!isFailing) log.warn({ fault }, lines.late);
      isFailing = true;
    }
  };
  const flushAllTheTime = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const pauseMs = isFailing ? FAILED_PAUSE_MS : PAUSE_MS;
      await wait(pauseMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
      await flush();
    }
    // The last flush may have begun before the stop, and have met an outage that is over.
    if (isFailing) await flush();
  };
  const ended = flushAllTheTime();

  return async function stopStoring() {
    stop.abort();
    await Promise.race([ended, wait(LAST_MS, undefined, { ref: false })]);
  };
};

/**
 * Stores what this process notes of partners' requests, of calls to providers and of alerts. Returns
 * a function that stops it, and stores the rest.
 */
export const storeNotes = ({
  requestNotes,
  providerCallNotes,
  alertNotes,
  log,
}: Given<typeof NOTES>): (() => Promise<void>) => {
  const stops = [
    storeAllTheTime({
      notes: requestNotes,
      log,
      lines: {
        dropped: 'answers to requests were not noted',
        late: 'answers to requests were not stored yet',
      },
    }),
    storeAllTheTime({
      notes: providerCallNotes,
      log,
      lines: {
        dropped: 'answers of providers were not noted',
        late: 'answers of providers were not stored yet',
      },
    }),
    storeAllTheTime({
      notes: alertNotes,
      log,
      lines: { dropped: 'alerts were not noted', late: 'alerts were not stored yet' },
    }),
  ];
  return async function stopStoring() {
    await Promise.all(stops.map((stop) => stop()));
  };
};
