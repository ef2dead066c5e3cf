import type { AlertNotes } from '../../application/alerts/alert-notes.ts';
import type {
  AlertSender,
  AlertWay,
  Digest,
  NotificationOutcome,
} from '../../application/alerts/alert-notifications.ts';
import type { Alert, Alerts } from '../../application/alerts/alerts.ts';

/** Keeps what was raised, and notes it to be stored. */
export class MemoryAlerts implements Alerts {
  readonly raised: Alert[] = [];
  readonly #notes: Pick<AlertNotes, 'note'>;

  constructor(notes: Pick<AlertNotes, 'note'>) {
    this.#notes = notes;
  }

  raise(alert: Alert): void {
    this.raised.push(alert);
    this.#notes.note(alert);
  }

  raiseStored(alert: Alert): void {
    this.raised.push(alert);
  }
}

/** Keeps the digests that were sent; fails on demand. */
export class MemoryAlertSender implements AlertSender {
  readonly way: AlertWay;
  readonly told: Digest[] = [];
  /** What happens to the next digests instead of their being told. */
  readonly failures: string[] = [];
  /** The next digests are sent, and get no answer. */
  unanswered = 0;

  constructor(way: AlertWay) {
    this.way = way;
  }

  async tell(digest: Digest): Promise<NotificationOutcome> {
    const reason = this.failures.shift();
    if (reason !== undefined) return { kind: 'failed', reason };
    this.told.push(structuredClone(digest));
    if (this.unanswered === 0) return { kind: 'told' };
    this.unanswered -= 1;
    return { kind: 'unknown', reason: 'timeout' };
  }
}
