import type { Instant } from '#domain';
import {
  type AlertQuery,
  type AlertRecord,
  type AlertRecords,
  type Resolution,
  SERVICE_NAME,
  type SeenAlert,
} from '../../application/alerts/alert-records.ts';
import {
  type AlertTellings,
  type AlertWay,
  DIGEST_ALERTS,
  type Digest,
} from '../../application/alerts/alert-tellings.ts';
import type { RaisedAlert } from '../../application/alerts/raised-alert.ts';
import type { AuditEntry } from '../../application/audit/audit-log.ts';
import {
  claimTelling,
  findAlert,
  listAlerts,
  listToTell,
  noteTellingFailed,
  noteTold,
  resolveAlert,
  settleAlert,
  storeAlerts,
} from './alert-statements.ts';
import { entryJson } from './audit-log.ts';
import { rowReader } from './columns.ts';
import type { Database } from './database.ts';
import { ALERT } from './tables.ts';

const readRow = rowReader(ALERT);

const readAlert = (stored: object): AlertRecord => {
  const { resolvedAt: at, resolvedBy: by, note, ...raised } = readRow(stored);
  const isOpen = at === null || by === null || note === null;
  return { ...raised, resolution: isOpen ? null : { at, by, note } };
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
    const { status = null, kind = null, saleId = null, before = null, limit } = query;
    const filters = { status, kind, saleId, before };
    const rows = await this.#database.query(listAlerts, { ...filters, limit });
    return rows.map(readAlert);
  }

  async find(id: number): Promise<AlertRecord | undefined> {
    const [row] = await this.#database.query(findAlert, { id });
    return row && readAlert(row);
  }

  async resolve(
    id: number,
    resolution: Resolution,
    entry: AuditEntry,
  ): Promise<AlertRecord | undefined> {
    await this.#database.query(resolveAlert, { id, ...resolution, entry: entryJson(entry) });
    return this.find(id);
  }

  async settle({ id, times }: SeenAlert, at: Instant, note: string): Promise<void> {
    await this.#database.query(settleAlert, { id, times, at, by: SERVICE_NAME, note });
  }
}

export class DatabaseAlertTellings implements AlertTellings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async claim(
    way: AlertWay,
    claim: Parameters<AlertTellings['claim']>[1],
  ): Promise<Digest | undefined> {
    const [claimed] = await this.#database.query(claimTelling, { way, ...claim });
    if (claimed === undefined) return undefined;

    const { kind, failures } = claimed;
    const toldUpTo = Number(claimed.toldUpTo);
    const rows = await this.#database.query(listToTell, { kind, toldUpTo, limit: DIGEST_ALERTS });
    const [first] = rows;
    if (first === undefined) return undefined;
    const { count, upTo } = first;
    return { kind, way, count, alerts: rows.map(readAlert), upTo: Number(upTo), failures };
  }

  async noteTold({ kind, way, upTo }: Digest, at: Instant): Promise<void> {
    await this.#database.query(noteTold, { kind, way, at, upTo });
  }

  async noteFailed({ kind, way, failures }: Digest, until: Instant): Promise<void> {
    const failed = { kind, way, until, failures: failures + 1 };
    await this.#database.query(noteTellingFailed, failed);
  }
}
