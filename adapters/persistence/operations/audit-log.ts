import type { EntityManager, InferEntity, RequiredEntityData } from '@mikro-orm/core';
import type {
  AuditEntry,
  AuditLog,
  AuditQuery,
  NumberedEntry,
} from '../../../application/audit/audit-log.ts';
import type { Database } from '../engine/database.ts';
import { columnNames, type RowOf, recordFields, recordNames } from '../schema/columns.ts';
import { AuditEntryEntity } from '../schema/entities.ts';
import { AUDIT_ENTRY } from '../schema/tables.ts';

type NumberedRow = InferEntity<typeof AuditEntryEntity>;

const rowOf = ({ actor, ...entry }: AuditEntry): RowOf<typeof AUDIT_ENTRY> => {
  const { kind: actorKind, name: actorName, address, requestId } = actor;
  return { ...entry, actorKind, actorName, address, requestId };
};

/** Stores the entry with the other changes of a unit of work. */
export const addEntry = (em: EntityManager, entry: AuditEntry): void => {
  em.create(AuditEntryEntity, rowOf(entry) as RequiredEntityData<NumberedRow>);
};

/** The entry as JSON, for the parameter `$entry` of `entryFor`. */
export const entryJson = (entry: AuditEntry): string => JSON.stringify(rowOf(entry));

/**
 * Part of a statement: stores the entry of the parameter `$entry` once for each row of `source`, so
 * that both are stored or neither.
 */
export const entryFor = (source: string): string => `
  insert into audit_entry (${columnNames(AUDIT_ENTRY)})
  select ${recordNames(AUDIT_ENTRY, 'entry')}
  from ${source}, jsonb_to_record($entry::jsonb) as entry (${recordFields(AUDIT_ENTRY)})`;

export class DatabaseAuditLog implements AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#database.entities((em) => {
      addEntry(em, entry);
      return em.flush();
    });
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
      ...((from || to) && { at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
      ...(before !== undefined && { number: { $lt: before } }),
    };
    const newestFirst = { orderBy: { number: 'desc' }, limit, connectionType: 'read' } as const;
    const found = await this.#database.entities((em) =>
      em.find(AuditEntryEntity, where, newestFirst),
    );
    return found.map(({ actorKind, actorName, address, requestId, ...entry }) => ({
      ...entry,
      actor: { kind: actorKind, name: actorName, address, requestId },
    }));
  }
}
