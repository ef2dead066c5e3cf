import type { Alert, Alerts } from '../../application/alerts.ts';

interface Log {
  warn(details: { readonly alert: Alert }, message: string): void;
}

/** Writes alerts as warnings to the log, for the operator's monitoring. */
export class LoggedAlerts implements Alerts {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  raise(alert: Alert): void {
    this.#log.warn({ alert }, 'needs the attention of an operator');
  }
}
