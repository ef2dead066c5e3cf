import { type Instant, instantOf } from '#domain';
import type {
  AuditEntry,
  AuditLog,
  AuditQuery,
  NumberedEntry,
} from '../../application/audit/audit-log.ts';
import type { Database } from './database.ts';
import { guarded } from './faults.ts';
import { AuditEntryRow } from './rows.ts';

/** The fields of an entry, as the statement below reads them. */
export const entryJson = ({ at, action, actor, subject, reason, changes }: AuditEntry): string => {
  const { kind, name, address, requestId } = actor;
  return JSON.stringify({
    at,
    action,
    actor_kind: kind,
    actor_name: name,
    address,
    request_id: requestId,
    subject,
    reason,
    changes,
  });
};

const COLUMNS = [
  'at',
  'action',
  'actor_kind',
  'actor_name',
  'address',
  'request_id',
  'subject',
  'reason',
  'changes',
];

/** Part of a statement: writes the entry given by a parameter once for each row of `source`, so that both are stored or neither. */
export const entryFor = (source: string, parameter: string): string => `
  insert into audit_entry (${COLUMNS}) select ${COLUMNS.map((name) => `entry.${name}`)}
  from ${source}, jsonb_to_record(${parameter}::jsonb) as entry
    (at timestamptz, action text, actor_kind text, actor_name text, address text, request_id text, subject text, reason text, changes jsonb)`;

const append = { name: 'append-audit-entry', text: entryFor('(select 1) as one', '$1') };

export class DatabaseAuditLog implements AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#database.run(append, [entryJson(entry)]);
  }

  async list({
    action,
    actor,
    subject,
    from,
    to,
    before,
    limit,
  }: AuditQuery): Promise<readonly NumberedEntry[]> {
    const where = {
      ...(action && { action }),
      ...(actor && { actorName: actor }),
      ...(subject && { subject }),
      ...((from || to) && {
        at: { ...(from && { $gte: new Date(from) }), ...(to && { $lt: new Date(to) }) },
      }),
      ...(before !== undefined && { number: { $lt: before } }),
    };
    const options = { orderBy: { number: 'desc' as const }, limit, disableIdentityMap: true };
    const rows = await guarded(() => this.#database.entities().find(AuditEntryRow, where, options));
    return rows.map(fromRow);
  }
}

const fromRow = ({
  number,
  at,
  action,
  subject,
  reason,
  changes,
  ...row
}: AuditEntryRow): NumberedEntry => ({
  number,
  at: instantOf(at) as Instant,
  action,
  actor: {
    kind: row.actorKind,
    name: row.actorName ?? null,
    address: row.address ?? null,
    requestId: row.requestId ?? null,
  },
  subject: subject ?? null,
  reason: reason ?? null,
  changes,
});
