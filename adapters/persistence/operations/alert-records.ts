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
  type Resolution,
  SERVICE_NAME,
  type SeenAlert,
} from '../../../application/alerts/alert-records.ts';
import type { RaisedAlert } from '../../../application/alerts/raised-alert.ts';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import type { Database } from '../engine/database.ts';
import { type RowOf, rowReader } from '../schema/columns.ts';
import { ALERT } from '../schema/tables.ts';
import {
  claimNotification,
  listAlerts,
  listToTell,
  noteNotificationFailed,
  noteTold,
  storeAlerts,
} from './alert-statements.ts';
import { addEntry } from './audit-log.ts';

const readRow = rowReader(ALERT);

const recordOf = (row: RowOf<typeof ALERT>): AlertRecord => {
  const { id, kind, subject, saleId, details, firstAt, lastAt, times, requestId } = row;
  const { resolvedAt: at, resolvedBy: by, note } = row;
  const isOpen = at === null || by === null || note === null;
  return {
    ...{ id, kind, subject, saleId, details, firstAt, lastAt, times, requestId },
    resolution: isOpen ? null : { at, by, note },
  };
};

export class DatabaseAlertRecords implements AlertRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async store(raised: readonly RaisedAlert[]): Promise<void> {
    await this.#database.query(storeAlerts, { raised: JSON.stringify(raised) });
  }

  async list(query: AlertQuery): Promise<readonly AlertRecord[]> {
    const found = await this.#database.query(listAlerts(query), query);
    return found.map((row) => recordOf(readRow(row)));
  }

  async find(id: number): Promise<AlertRecord | undefined> {
    const found = await this.#database.entities((em, { AlertEntity }) =>
      em.findOne(AlertEntity, id),
    );
    return found === null ? undefined : recordOf(found);
  }

  async resolve(
    id: number,
    { at: resolvedAt, by: resolvedBy, note }: Resolution,
    entry: AuditEntry,
  ): Promise<AlertRecord | undefined> {
    return this.#database.entities((em, entities) =>
      em.transactional(async (inside) => {
        const alert = await inside.findOne(entities.AlertEntity, id, {
          lockMode: entities.LockMode.PESSIMISTIC_WRITE,
        });
        if (alert === null) return undefined;
        if (alert.status === 'open') {
          inside.assign(alert, { status: 'resolved', resolvedAt, resolvedBy, note });
          addEntry(inside, entities, entry);
        }
        return recordOf(alert);
      }),
    );
  }

  async settle({ id, times }: SeenAlert, at: Instant, note: string): Promise<void> {
    const settled = { resolvedAt: at, resolvedBy: SERVICE_NAME, note };
    await this.#database.entities((em, { AlertEntity }) =>
      em.nativeUpdate(
        AlertEntity,
        { id, times, status: 'open' },
        { ...settled, status: 'resolved' },
      ),
    );
  }
}

export class DatabaseAlertNotifications implements AlertNotifications {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(
    way: AlertWay,
    claim: Parameters<AlertNotifications['claim']>[1],
  ): Promise<Digest | undefined> {
    const [claimed] = await this.#database.query(claimNotification, { way, ...claim });
    if (claimed === undefined) return undefined;

    const { kind, failures } = claimed;
    const toldUpTo = Number(claimed.toldUpTo);
    const rows = await this.#database.query(listToTell, { kind, toldUpTo, limit: DIGEST_ALERTS });
    const [first] = rows;
    if (first === undefined) return undefined;
    const { count, upTo } = first;
    return {
      kind,
      way,
      count,
      alerts: rows.map((row) => recordOf(readRow(row))),
      upTo: Number(upTo),
      failures,
    };
  }

  async noteTold({ kind, way, upTo }: Digest, at: Instant): Promise<void> {
    await this.#database.query(noteTold, { kind, way, at, upTo });
  }

  async noteFailed({ kind, way, failures }: Digest, until: Instant): Promise<void> {
    const failed = { kind, way, until, failures: failures + 1 };
    await this.#database.query(noteNotificationFailed, failed);
  }
}
