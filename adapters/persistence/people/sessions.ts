import type { Instant } from '#domain';
import type { AuditEntry } from '../../../application/audit/audit-log.ts';
import { later } from '../../../application/clock.ts';
import { IDLE_MS, type Session, type Sessions } from '../../../application/people/sessions.ts';
import type { Database } from '../engine/database.ts';
import { statement } from '../engine/statement.ts';
import { entryFor, entryJson } from '../operations/audit-log.ts';
import { columnNames, parameters, rowReader, rowWriter, selection } from '../schema/columns.ts';
import { PERSON_SESSION } from '../schema/tables.ts';

const startSession = statement<
  { readonly [Name in keyof typeof PERSON_SESSION]: unknown } & {
    readonly secretHash: string;
    readonly entry: string;
  }
>(
  'start-session',
  `
    with started as (
      insert into person_session (${columnNames(PERSON_SESSION)}, secret_hash, wrong_codes)
      values (${parameters(PERSON_SESSION)}, $secretHash, 0) returning session_id
    )
    ${entryFor('started')}`,
);

const useSession = statement<{
  readonly secretHash: string;
  readonly at: Instant;
  readonly seenAfter: Instant;
}>(
  'use-session',
  `
    update person_session set seen_at = $at
    where secret_hash = $secretHash and expires_at > $at and seen_at > $seenAfter
    returning ${selection(PERSON_SESSION)}`,
);

const countWrongCode = statement<{ readonly sessionId: string }, { readonly count: number }>(
  'count-wrong-code',
  `
    update person_session set wrong_codes = wrong_codes + 1 where session_id = $sessionId
    returning wrong_codes as count`,
);

const listSessions = statement<{
  readonly personId: string;
  readonly at: Instant;
  readonly seenAfter: Instant;
}>(
  'list-sessions',
  `
    select ${selection(PERSON_SESSION)} from person_session
    where person_id = $personId and expires_at > $at and seen_at > $seenAfter
    order by started_at desc, session_id desc`,
);

const endSessions = statement<{
  readonly personId: string;
  readonly sessionId: string | null;
  readonly except: string | null;
  readonly entry: string;
}>(
  'end-sessions',
  `
    with ended as (
      delete from person_session where person_id = $personId
        and case when $sessionId::text is null then session_id is distinct from $except
          else session_id = $sessionId end
      returning session_id
    )
    ${entryFor('(select from ended limit 1) as noted')}`,
);

const forgetSessions = statement<{ readonly before: Instant }>(
  'forget-sessions',
  'delete from person_session where expires_at < $before',
  { isSlow: true },
);

const readRow = rowReader(PERSON_SESSION);
const writeRow = rowWriter(PERSON_SESSION);

const idleSince = (at: Instant): Instant => later(at, -IDLE_MS);

export class DatabaseSessions implements Sessions {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async start(session: Session, secretHash: string, entry: AuditEntry): Promise<void> {
    const values = { ...writeRow(session), secretHash, entry: entryJson(entry) };
    await this.#database.query(startSession, values);
  }

  async use(secretHash: string, at: Instant): Promise<Session | undefined> {
    const values = { secretHash, at, seenAfter: idleSince(at) };
    const [used] = await this.#database.query(useSession, values);
    return used && readRow(used);
  }

  async noteWrongCode(sessionId: string): Promise<number> {
    const [counted] = await this.#database.query(countWrongCode, { sessionId });
    return counted?.count ?? 0;
  }

  async list(personId: string, at: Instant): Promise<readonly Session[]> {
    const values = { personId, at, seenAfter: idleSince(at) };
    return (await this.#database.query(listSessions, values)).map(readRow);
  }

  async end(
    personId: string,
    which: Parameters<Sessions['end']>[1],
    entry: AuditEntry,
  ): Promise<void> {
    const chosen = { sessionId: null, except: null, ...which };
    await this.#database.query(endSessions, { personId, ...chosen, entry: entryJson(entry) });
  }

  async forget(before: Instant): Promise<void> {
    await this.#database.query(forgetSessions, { before });
  }
}
