import type { EntityManager, InferEntity, RequiredEntityData } from '@mikro-orm/core';
import type { Instant } from '#domain';
import type {
  AuditEntry,
  AuditLog,
  AuditQuery,
  NumberedEntry,
} from '../../../application/audit/audit-log.ts';
import type { Database } from '../engine/database.ts';
import type { Entities } from '../engine/orm.ts';
import { statement } from '../engine/statement.ts';
import { columnNames, type RowOf, recordFields, recordNames } from '../schema/columns.ts';
import type { AuditEntryEntity } from '../schema/entities.ts';
import { AUDIT_ENTRY } from '../schema/tables.ts';

type NumberedRow = InferEntity<typeof AuditEntryEntity>;

const rowOf = ({ actor, ...entry }: AuditEntry): RowOf<typeof AUDIT_ENTRY> => {
  const { kind: actorKind, name: actorName, address, requestId } = actor;
  return { ...entry, actorKind, actorName, address, requestId };
};

/** Stores the entry with the other changes of a unit of work. */
export const addEntry = (
  em: EntityManager,
  { AuditEntryEntity: AuditEntries }: Entities,
  entry: AuditEntry,
): void => {
  em.create(AuditEntries, rowOf(entry) as RequiredEntityData<NumberedRow>);
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

/**
 * Entries are numbered in about the order of their times: a transaction may take a while. Therefore the
 * numbers of a period are those between two entries that are this far outside of it.
 */
const DISORDER = "interval '10 minutes'";

const readNumbers = statement<
  { readonly from: Instant; readonly to: Instant },
  { readonly after: string | null; readonly before: string | null }
>(
  'read-numbers-of-audit-entries',
  `
    select (
      select number::text from audit_entry where at < $from::timestamptz - ${DISORDER} order by at desc limit 1
    ) as after, (
      select number::text from audit_entry where at >= $to::timestamptz + ${DISORDER} order by at limit 1
    ) as before`,
);

const FIRST = '0001-01-01T00:00:00.000Z' as Instant;
const LAST = '9999-12-31T00:00:00.000Z' as Instant;

export class DatabaseAuditLog implements AuditLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async append(entry: AuditEntry): Promise<void> {
    await this.#database.entities((em, entities) => {
      addEntry(em, entities, entry);
      return em.flush();
    });
  }

  /** Where the entries of a period are: without it, those of the past would be looked for from the newest. */
  async #numbersOf(
    from = FIRST,
    to = LAST,
  ): Promise<{ readonly after: number; readonly before: number }> {
    const all = { after: 0, before: Number.MAX_SAFE_INTEGER };
    if (from === FIRST && to === LAST) return all;
    const [found] = await this.#database.query(readNumbers, { from, to });
    return {
      after: Number(found?.after ?? all.after),
      before: Number(found?.before ?? all.before),
    };
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
    const numbers = await this.#numbersOf(from, to);
    const last = Math.min(before ?? numbers.before, numbers.before);
    const where = {
      ...(action && { action }),
      ...(actor && { actorName: actor }),
      ...(subject && { subject }),
      ...((from || to) && { at: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
      number: { $gt: numbers.after, $lt: last },
    };
    const newestFirst = { orderBy: { number: 'desc' }, limit, connectionType: 'read' } as const;
    const found = await this.#database.entities((em, { AuditEntryEntity }) =>
      em.find(AuditEntryEntity, where, newestFirst),
    );
    return found.map(({ actorKind, actorName, address, requestId, ...entry }) => ({
      ...entry,
      actor: { kind: actorKind, name: actorName, address, requestId },
    }));
  }
}
