import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import type { People, Person } from '../../../application/people/people.ts';

export class MemoryPeople implements People {
  readonly #auditLog: AuditLog;
  readonly #people = new Map<string, Person>();

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async add(person: Person, entry: AuditEntry): Promise<'added' | 'duplicate'> {
    const isTaken = [...this.#people.values()].some(
      ({ personId, email }) =>
        personId === person.personId || (email !== null && email === person.email),
    );
    if (isTaken) return 'duplicate';
    this.#people.set(person.personId, structuredClone(person));
    await this.#auditLog.append(entry);
    return 'added';
  }

  async save(changed: Person, entry: AuditEntry | null): Promise<'saved' | 'stale'> {
    const stored = this.#people.get(changed.personId);
    if (stored?.version !== changed.version) return 'stale';
    const { email, createdAt, version } = stored;
    const kept = { email, createdAt, version: version + 1 };
    this.#people.set(changed.personId, { ...structuredClone(changed), ...kept });
    if (entry !== null) await this.#auditLog.append(entry);
    return 'saved';
  }

  async find(by: Parameters<People['find']>[0], value: string): Promise<Person | undefined> {
    const found = [...this.#people.values()].find(
      (person) => (by === 'link' ? person.link?.hash : person[by]) === value,
    );
    return structuredClone(found);
  }

  async list(): Promise<readonly Person[]> {
    const keyOf = ({ createdAt, personId }: Person): string => `${createdAt} ${personId}`;
    return structuredClone([...this.#people.values()]).sort((one, other) =>
      keyOf(one) < keyOf(other) ? -1 : 1,
    );
  }
}
