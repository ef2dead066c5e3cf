import type { Alert, Alerts } from '../../application/alerts.ts';

interface Log {
  warn(details: object, message: string): void;
}

/** Alerts as warnings in the log, for whatever watches it. */
export class LoggedAlerts implements Alerts {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  raise(alert: Alert): void {
    this.#log.warn({ alert }, 'somebody should look at this');
  }
}
