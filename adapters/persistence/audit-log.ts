import type {
  AuditEntry,
  AuditLog,
  AuditQuery,
  NumberedEntry,
} from '../../application/audit/audit-log.ts';
import { columnNames, type RowOf, recordFields, recordNames, rowReader } from './columns.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';
import { AUDIT_ENTRY, NUMBERED_AUDIT_ENTRY } from './tables.ts';

/** The entry as JSON, for the parameter `$entry` of `entryFor`. */
export const entryJson = ({ at, action, actor, subject, reason, changes }: AuditEntry): string => {
  const { kind: actorKind, name: actorName, address, requestId } = actor;
  const actorColumns = { actorKind, actorName, address, requestId };
  const row: RowOf<typeof AUDIT_ENTRY> = { at, action, ...actorColumns, subject, reason, changes };
  return JSON.stringify(row);
};

/**
 * Part of a statement: stores the entry of the parameter `$entry` once for each row of `source`, so
 * that both are stored or neither.
 */
export const entryFor = (source: string): string => `
  insert into audit_entry (${columnNames(AUDIT_ENTRY)})
  select ${recordNames(AUDIT_ENTRY, 'entry')}
  from ${source}, jsonb_to_record($entry::jsonb) as entry (${recordFields(AUDIT_ENTRY)})`;

const appendEntry = statement<{ entry: string }>(
  'append-audit-entry',
  entryFor('(select 1) as one'),
);

export class DatabaseAuditLog implements AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#database.query(appendEntry, { entry: entryJson(entry) });
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
    const newestFirst = { orderBy: { number: 'desc' }, limit, isList: true } as const;
    const rows = await this.#database.find('audit_entry', where, newestFirst);
    return rows.map((row) => numberedEntry(readRow(row)));
  }
}

const readRow = rowReader(NUMBERED_AUDIT_ENTRY);

const numberedEntry = (row: RowOf<typeof NUMBERED_AUDIT_ENTRY>): NumberedEntry => {
  const { actorKind, actorName, address, requestId, ...entry } = row;
  return { ...entry, actor: { kind: actorKind, name: actorName, address, requestId } };
};
