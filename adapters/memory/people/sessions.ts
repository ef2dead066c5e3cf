import type { Instant } from '#domain';
import type { AuditEntry, AuditLog } from '../../../application/audit/audit-log.ts';
import { later } from '../../../application/clock.ts';
import { IDLE_MS, type Session, type Sessions } from '../../../application/people/sessions.ts';

interface StoredSession {
  session: Session;
  readonly secretHash: string;
  wrongCodes: number;
}

export class MemorySessions implements Sessions {
  readonly #auditLog: AuditLog;
  /** The newest last. */
  readonly #sessions = new Map<string, StoredSession>();

  constructor(auditLog: AuditLog) {
    this.#auditLog = auditLog;
  }

  async start(session: Session, secretHash: string, entry: AuditEntry): Promise<void> {
    const started = { session: structuredClone(session), secretHash, wrongCodes: 0 };
    this.#sessions.set(session.sessionId, started);
    await this.#auditLog.append(entry);
  }

  async use(secretHash: string, at: Instant): Promise<Session | undefined> {
    const stored = [...this.#sessions.values()].find((each) => each.secretHash === secretHash);
    if (stored === undefined || !isLiving(stored.session, at)) return undefined;
    stored.session = { ...stored.session, seenAt: at };
    return structuredClone(stored.session);
  }

  async noteWrongCode(sessionId: string): Promise<number> {
    const stored = this.#sessions.get(sessionId);
    if (stored === undefined) return 0;
    stored.wrongCodes += 1;
    return stored.wrongCodes;
  }

  async list(personId: string, at: Instant): Promise<readonly Session[]> {
    const own = [...this.#sessions.values()].filter(
      ({ session }) => session.personId === personId && isLiving(session, at),
    );
    return own.map(({ session }) => structuredClone(session)).reverse();
  }

  async end(
    personId: string,
    which: Parameters<Sessions['end']>[1],
    entry: AuditEntry,
  ): Promise<void> {
    const ended = [...this.#sessions.values()].filter(
      ({ session }) =>
        session.personId === personId &&
        ('sessionId' in which
          ? session.sessionId === which.sessionId
          : session.sessionId !== which.except),
    );
    for (const { session } of ended) this.#sessions.delete(session.sessionId);
    if (ended.length > 0) await this.#auditLog.append(entry);
  }

  async forget(before: Instant): Promise<void> {
    for (const [sessionId, { session }] of this.#sessions)
      if (session.expiresAt < before) this.#sessions.delete(sessionId);
  }
}

const isLiving = ({ expiresAt, seenAt }: Session, at: Instant): boolean =>
  at < expiresAt && later(seenAt, IDLE_MS) > at;
