import type { Instant } from '#domain';
import type { AuditEntry } from '../audit/audit-log.ts';

/** How a person signed in. */
export type EntryWay = 'passphrase' | 'openid' | 'link';

/** A person at work in one browser. */
export interface Session {
  /** Names it in lists. It opens nothing. */
  readonly sessionId: string;
  readonly personId: string;
  /** The generation of the person when the session began. */
  readonly generation: number;
  readonly way: EntryWay;
  readonly startedAt: Instant;
  readonly seenAt: Instant;
  readonly expiresAt: Instant;
  /** When the person last gave a second factor. */
  readonly provedAt: Instant;
  readonly address: string | null;
  /** What the browser says of itself. */
  readonly browser: string | null;
}

/** A session lives so long, ms. */
export const SESSION_MS = 12 * 60 * 60 * 1_000;

/** It ends when nothing was asked for so long, ms. */
export const IDLE_MS = 30 * 60 * 1_000;

/**
 * The sessions of people.
 *
 * 1. A session is found by the hash of its secret until it expires, has been idle for `IDLE_MS`, or
 *    is ended, in every process at once. Each use is noted.
 * 2. The list has the living sessions of a person, the newest first.
 * 3. An entry is stored with the start or the end of sessions, or neither; none where none ended.
 * 4. Wrong codes are counted, in all processes together.
 */
export interface Sessions {
  start(session: Session, secretHash: string, entry: AuditEntry): Promise<void>;
  use(secretHash: string, at: Instant): Promise<Session | undefined>;
  /** Returns how many wrong codes there were in the session, with this one. */
  noteWrongCode(sessionId: string): Promise<number>;
  list(personId: string, at: Instant): Promise<readonly Session[]>;
  /**
   * Ends one session of a person, or all.
   *
   * @param except the session that goes on
   */
  end(
    personId: string,
    which: { readonly sessionId: string } | { readonly except: string | null },
    entry: AuditEntry,
  ): Promise<void>;
  /** Deletes the sessions that expired before a time. */
  forget(before: Instant): Promise<void>;
}
