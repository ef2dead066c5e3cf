import type { Alert, Alerts } from '../../application/alerts.ts';

export class MemoryAlerts implements Alerts {
  readonly raised: Alert[] = [];

  raise(alert: Alert): void {
    this.raised.push(alert);
  }
}
