import type { AlertNotes } from '../../application/alerts/alert-notes.ts';
import type { Alert, Alerts } from '../../application/alerts/alerts.ts';

interface Log {
  warn(details: { readonly alert: Alert }, message: string): void;
}

/** Writes alerts as warnings to the log, and notes them to be stored. */
export class LoggedAlerts implements Alerts {
  readonly #log: Log;
  readonly #notes: Pick<AlertNotes, 'note'>;

  constructor(log: Log, notes: Pick<AlertNotes, 'note'>) {
    this.#log = log;
    this.#notes = notes;
  }

  raise(alert: Alert): void {
    this.raiseStored(alert);
    this.#notes.note(alert);
  }

  raiseStored(alert: Alert): void {
    this.#log.warn({ alert }, 'needs the attention of an operator');
  }
}
