import type {
  AuditEntry,
  AuditLog,
  AuditQuery,
  NumberedEntry,
} from '../../../application/audit/audit-log.ts';

export class MemoryAuditLog implements AuditLog {
  readonly #entries: NumberedEntry[] = [];

  async append(entry: AuditEntry): Promise<void> {
    this.#entries.push(structuredClone({ ...entry, number: this.#entries.length + 1 }));
  }

  async list({
    action,
    actor,
    subject,
    from,
    to,
    before = Infinity,
    limit,
  }: AuditQuery): Promise<readonly NumberedEntry[]> {
    const fits = (entry: NumberedEntry): boolean =>
      entry.number < before &&
      (action === undefined || entry.action === action) &&
      (actor === undefined || entry.actor.name === actor) &&
      (subject === undefined || entry.subject === subject) &&
      (from === undefined || entry.at >= from) &&
      (to === undefined || entry.at < to);
    return structuredClone(this.#entries.filter(fits).reverse().slice(0, limit));
  }
}
