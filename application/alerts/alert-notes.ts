import type { BackgroundNotes } from '../background-notes.ts';
import type { Clock } from '../clock.ts';
import { shareRuns } from '../share-runs.ts';
import { Unavailable } from '../unavailable.ts';
import type { AlertRecords } from './alert-records.ts';
import type { Alert } from './alerts.ts';
import { mergeRaised, type RaisedAlert, toRaised } from './raised-alert.ts';

/** Alerts that wait to be stored; further ones are dropped, and counted. */
export const MAX_WAITING_ALERTS = 10_000;

/** Alerts that are stored by one statement. */
const STORED_AT_ONCE = 500;

interface Needs {
  readonly alertRecords: AlertRecords;
  readonly clock: Clock;
  readonly currentRequestId: () => string | undefined;
}

export interface AlertNotes extends BackgroundNotes {
  /** Remembers an alert, to be stored with others. It waits for nothing. */
  note(alert: Alert): void;
}

const keyOf = ({ kind, subject }: RaisedAlert): string => `${kind} ${subject}`;

/** Collects the alerts that a process raises, and stores them together in the background. */
export const makeAlertNotes = ({ alertRecords, clock, currentRequestId }: Needs): AlertNotes => {
  const waiting = new Map<string, RaisedAlert>();
  let dropped = 0;

  const takeBatch = (): readonly RaisedAlert[] => {
    const batch = [...waiting.values()].slice(0, STORED_AT_ONCE);
    for (const each of batch) waiting.delete(keyOf(each));
    return batch;
  };

  /** Puts alerts back that were not stored; they may have been raised again meanwhile. */
  const putBack = (batch: readonly RaisedAlert[]): void => {
    for (const each of batch) {
      const again = waiting.get(keyOf(each));
      waiting.set(keyOf(each), again === undefined ? each : mergeRaised(each, again));
    }
  };

  /** Drops an alert that the store refuses: else it would hold up all others. */
  const storeOneByOne = async (batch: readonly RaisedAlert[]): Promise<void> => {
    for (const [index, each] of batch.entries()) {
      try {
        await alertRecords.store([each]);
      } catch (error) {
        if (error instanceof Unavailable) {
          putBack(batch.slice(index));
          throw error;
        }
        dropped += 1;
      }
    }
  };

  const storeBatch = async (batch: readonly RaisedAlert[]): Promise<void> => {
    try {
      await alertRecords.store(batch);
    } catch (error) {
      if (!(error instanceof Unavailable)) return storeOneByOne(batch);
      putBack(batch);
      throw error;
    }
  };

  const storeWaiting = async (): Promise<void> => {
    while (waiting.size > 0) await storeBatch(takeBatch());
  };

  return {
    note: (alert) => {
      const raised = toRaised(alert, clock.now(), currentRequestId());
      const known = waiting.get(keyOf(raised));
      if (known !== undefined) waiting.set(keyOf(raised), mergeRaised(known, raised));
      else if (waiting.size < MAX_WAITING_ALERTS) waiting.set(keyOf(raised), raised);
      else dropped += 1;
    },

    flush: shareRuns(storeWaiting),

    takeDropped: () => {
      const lost = dropped;
      dropped = 0;
      return lost;
    },
  };
};
