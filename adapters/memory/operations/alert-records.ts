import type { Instant } from '#domain';
import {
  type AlertNotifications,
  type AlertWay,
  DIGEST_ALERTS,
  type Digest,
} from '../../../application/alerts/alert-notifications.ts';
import {
  type AlertQuery,
  type AlertRecord,
  type AlertRecords,
  alertStatus,
  type Resolution,
  SERVICE_NAME,
  type SeenAlert,
} from '../../../application/alerts/alert-records.ts';
import type { AlertKind } from '../../../application/alerts/alerts.ts';
import { mergeRaised, type RaisedAlert } from '../../../application/alerts/raised-alert.ts';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';

interface Notification {
  readonly toldAt?: Instant;
  readonly toldUpTo: number;
  readonly claimedUntil?: Instant;
  readonly failures: number;
}

const NEVER_SENT: Notification = { toldUpTo: 0, failures: 0 };

/** The alerts, and up to which of them operators were notified. */
export class MemoryAlertRecords implements AlertRecords, AlertNotifications {
  readonly #auditLog: AuditLog;
  readonly #records = new Map<number, AlertRecord>();
  /** The number of the `store` that raised each alert last, by its id. */
  readonly #raises = new Map<number, number>();
  readonly #notifications = new Map<string, Notification>();
  #lastRaise = 0;

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async store(raised: readonly RaisedAlert[]): Promise<void> {
    this.#lastRaise += 1;
    for (const each of structuredClone(raised)) {
      const known = this.#findOpen(each.kind, each.subject);
      const id = known?.id ?? this.#records.size + 1;
      const merged = known === undefined ? each : mergeRaised(known, each);
      this.#records.set(id, { ...merged, id, resolution: null });
      this.#raises.set(id, this.#lastRaise);
    }
  }

  async list({
    status,
    kind,
    saleId,
    before = Infinity,
    limit,
  }: AlertQuery): Promise<readonly AlertRecord[]> {
    const fits = (record: AlertRecord): boolean =>
      record.id < before &&
      (status === undefined || alertStatus(record) === status) &&
      (kind === undefined || record.kind === kind) &&
      (saleId === undefined || record.saleId === saleId);
    return structuredClone([...this.#records.values()].filter(fits).reverse().slice(0, limit));
  }

  async find(id: number): Promise<AlertRecord | undefined> {
    return structuredClone(this.#records.get(id));
  }

  async resolve(
    id: number,
    resolution: Resolution,
    entry: AuditEntry,
  ): Promise<AlertRecord | undefined> {
    const known = this.#records.get(id);
    if (known?.resolution === null) {
      this.#records.set(id, { ...known, resolution: { ...resolution } });
      await this.#auditLog.append(entry);
    }
    return this.find(id);
  }

  async settle({ id, times }: SeenAlert, at: Instant, note: string): Promise<void> {
    const known = this.#records.get(id);
    if (known?.resolution === null && known.times === times)
      this.#records.set(id, { ...known, resolution: { at, by: SERVICE_NAME, note } });
  }

  async claim(
    way: AlertWay,
    { now, toldBefore, until }: Parameters<AlertNotifications['claim']>[1],
  ): Promise<Digest | undefined> {
    const open = [...this.#records.values()].filter(({ resolution }) => resolution === null);
    for (const [kind, records] of [...Map.groupBy(open, (each) => each.kind)].sort()) {
      const notification = this.#notifications.get(`${kind} ${way}`) ?? NEVER_SENT;
      const { toldAt = '', claimedUntil = '', toldUpTo } = notification;
      const raised = records.filter(({ id }) => this.#raiseOf(id) > toldUpTo).reverse();
      if (raised.length === 0 || toldAt > toldBefore || claimedUntil > now) continue;
      this.#notifications.set(`${kind} ${way}`, { ...notification, claimedUntil: until });
      return {
        ...{ kind, way, count: raised.length },
        alerts: structuredClone(raised.slice(0, DIGEST_ALERTS)),
        upTo: Math.max(...raised.map(({ id }) => this.#raiseOf(id))),
        failures: notification.failures,
      };
    }
    return undefined;
  }

  async noteTold({ kind, way, upTo }: Digest, at: Instant): Promise<void> {
    this.#notifications.set(`${kind} ${way}`, { toldAt: at, toldUpTo: upTo, failures: 0 });
  }

  async noteFailed({ kind, way, failures }: Digest, until: Instant): Promise<void> {
    const notification = this.#notifications.get(`${kind} ${way}`) ?? NEVER_SENT;
    const failed = { ...notification, failures: failures + 1, claimedUntil: until };
    this.#notifications.set(`${kind} ${way}`, failed);
  }

  #findOpen(kind: AlertKind, subject: string): AlertRecord | undefined {
    return [...this.#records.values()].find(
      (each) => each.kind === kind && each.subject === subject && each.resolution === null,
    );
  }

  #raiseOf(id: number): number {
    return this.#raises.get(id) ?? 0;
  }
}
