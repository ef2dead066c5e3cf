import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../../../application/unavailable.ts';
import type { LateSession } from './late-session.ts';

/** Longest time in which sessions end, ms; and pause between two looks. */
const [END_MS, LOOK_MS] = [5_000, 10];

/** Without waiting for each: PostgreSQL looks only every 100 ms whether a session has ended. */
const END_SESSIONS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
    and backend_type = 'client backend' and backend_start < $1::timestamptz`;

/** A session holds this lock from before it reads the settings of its database until it shows itself. */
const BEGINNING = `
  select pid from pg_locks
  where locktype = 'object' and classid = 'pg_database'::regclass and mode = 'RowExclusiveLock'
    and objid = (select oid from pg_database where datname = current_database())
    and pid <> pg_backend_pid()`;

const READ_REFUSED = `
  select exists (
    select from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
    where datname = current_database() and setrole = 0
      and 'default_transaction_read_only=on' = any (setconfig)
  ) as refused`;

/** The database takes no writes from now on: all other sessions end, and new ones only read. @throws Unavailable */
export const refuseWrites = (session: LateSession): Promise<void> =>
  beginSessions(session, 'set default_transaction_read_only = on');

/** The database takes writes again, if it did not. @throws Unavailable */
export const takeWrites = async (session: LateSession): Promise<void> => {
  const { refused } = await session.one<{ refused: boolean }>(READ_REFUSED);
  if (refused) await beginSessions(session, 'reset default_transaction_read_only');
};

/** All other sessions begin anew, after a setting of the database was changed. */
const beginSessions = async (session: LateSession, change: string): Promise<void> => {
  const { name } = await session.one<{ name: string }>(
    `select format('%I', current_database()) as name`,
  );
  await session.ask(`alter database ${name} ${change}`);
  const giveUpAt = performance.now() + END_MS;
  const endAll = async (read: string, values: unknown[]): Promise<void> => {
    while ((await session.ask(read, values)).length > 0) {
      if (performance.now() > giveUpAt) throw new Unavailable('sessions of the group do not end');
      await wait(LOOK_MS);
    }
  };
  // One that is just beginning may have read the setting before, and does not show yet.
  await endAll(BEGINNING, []);
  const { now } = await session.one<{ now: string }>('select clock_timestamp()::text as now');
  await endAll(END_SESSIONS, [now]);
};
