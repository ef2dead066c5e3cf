import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { Unavailable } from '../../application/unavailable.ts';
import type { Executor, Statement } from './statement.ts';

/** Max time of a statement of a request or a transaction. A host that hangs is noticed after it. */
const REQUEST_STATEMENT_MS = 3_000;

/** Max time of any other statement. PostgreSQL cancels it a little earlier (`CANCEL_MS`). */
const SLOW_STATEMENT_MS = 12_000;
const CANCEL_MS = 10_000;

/**
 * Max time that a process may pause inside a transaction, because its locks keep others waiting.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;

const CONNECT_MS = 5_000;

const { DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL } = pg.types.builtins;

const LOCK_RETRY_MS = 25;

const SERVER_LIMITS = {
  statement_timeout: CANCEL_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
};

/**
 * Behind a pooler, each transaction gets another server connection, so it sets the limits itself.
 */
const BEGIN_POOLED = `begin; ${Object.entries(SERVER_LIMITS)
  .map(([name, ms]) => `set local ${name} = ${ms}`)
  .join('; ')}`;

/** For the pool. A pooler refuses connections that bring settings. */
export const connectionOptions = (isPooled: boolean) => ({
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: SLOW_STATEMENT_MS,
  keepAlive: true,
  ...(isPooled ? {} : SERVER_LIMITS),
});

/**
 * For migrations, which have no time limit but one: while a migration waits for a lock, all
 * statements that come after it wait too, so it waits 30 s at most.
 */
export const MIGRATION_OPTIONS = {
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  options: '-c lock_timeout=30000',
};

/** Opens a pool of connections. Reads times as text, as `columns.ts` expects them. */
export const openPool = (options: pg.PoolConfig): pg.Pool => {
  const types = new pg.TypeOverrides();
  for (const type of [DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL])
    types.setTypeParser(type, (text: string) => text);
  const pool = new pg.Pool({ ...options, types });
  // An error without a listener would end the process. The pool drops the connection, and a query
  // that it was running fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
};

interface Rows {
  readonly rows: unknown[];
}

/** Runs statements on a pool of connections, beside MikroORM. */
interface Sessions {
  run(statement: Statement, values: unknown[]): Promise<Rows>;
  /** To be called with each error: after a timeout, closes connections that may hang as well. */
  noteFailure(error: unknown): void;
  execute(text: string, values?: unknown[]): Promise<Rows>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
}

const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * Runs statements on a pool. Behind a pooler in transaction mode (`isPooled`), each statement runs
 * in a transaction of its own, which sets the time limits, and has no name, because the server
 * connection of the next transaction may not know it.
 */
export const openSessions = (pool: pg.Pool, isPooled: boolean): Sessions => {
  const closeSuspects = suspectsOf(pool);

  const noteFailure = (error: unknown): void => {
    if (isReadTimeout(error)) closeSuspects();
  };

  const transaction = async <Result>(
    work: (
      ask: (text: string, values?: unknown[], timeoutMs?: number) => Promise<Rows>,
    ) => Promise<Result>,
  ): Promise<Result> => {
    const session = await pool.connect();
    const ask = (
      text: string,
      values?: unknown[],
      timeoutMs = REQUEST_STATEMENT_MS,
    ): Promise<Rows> =>
      session.query({
        text,
        ...(values && { values }),
        query_timeout: timeoutMs,
      } as pg.QueryConfig);
    let isUsable = true;
    try {
      await ask(isPooled ? BEGIN_POOLED : 'begin');
      const result = await work(ask);
      await ask('commit');
      return result;
    } catch (error) {
      // A connection that is closed is rolled back by PostgreSQL.
      isUsable =
        error instanceof pg.DatabaseError &&
        (await ask('rollback').then(
          () => true,
          () => false,
        ));
      throw error;
    } finally {
      session.release(!isUsable);
    }
  };

  return {
    run: ({ name, text, isSlow }, values) => {
      const timeoutMs = isSlow ? SLOW_STATEMENT_MS : REQUEST_STATEMENT_MS;
      if (isPooled) return transaction((ask) => ask(text, values, timeoutMs));
      const query = { name, text, values, query_timeout: timeoutMs };
      return pool.query(query);
    },
    noteFailure,
    // A text of several statements has no values and brings its own transaction.
    execute: (text, values) =>
      isPooled && values
        ? transaction((ask) => ask(text, values, SLOW_STATEMENT_MS))
        : pool.query(text, values),
    transaction: (work) =>
      transaction((ask) => work({ executeSql: (text, values) => ask(text, values) })),
  };
};

/**
 * Returns a function to call when a statement has timed out. It closes the idle connections that
 * have not been used since that statement was sent, because they may hang as well; the next
 * statements open new ones.
 */
const suspectsOf = (pool: pg.Pool): (() => void) => {
  const usedAt = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => usedAt.delete(client));
  pool.on('release', (_, client) => usedAt.set(client, performance.now()));
  pool.on('remove', (client) => usedAt.delete(client));

  return function closeSuspects() {
    const sentAt = performance.now() - REQUEST_STATEMENT_MS;
    for (const [client, at] of usedAt) if (at <= sentAt) streamOf(client).destroy();
  };
};

/** The socket, because `end()` would wait for a host that does not answer. */
const streamOf = (client: pg.PoolClient): { destroy(): void } =>
  (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } })
    .connection.stream;

/**
 * Runs `work` while no other process on this database runs its own. The lock belongs to a
 * transaction, because behind a pooler the lock of a session would stay with the server connection.
 */
export const runExclusively = async <Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const session = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: SLOW_STATEMENT_MS,
    keepAlive: true,
  });
  const lost = new Promise<never>((_, reject) => {
    for (const event of ['error', 'end'] as const)
      session.on(event, () => reject(new Unavailable('the lock of the start was lost')));
  });
  lost.catch(() => {});

  try {
    await session.connect();
    await session.query('begin; set local idle_in_transaction_session_timeout = 0');
    // Polls, because a statement that waits could be cancelled by a time limit of the role or
    // database.
    const tryLock = `select pg_try_advisory_xact_lock(hashtext('insurance-sales')) as mine`;
    while ((await session.query<{ mine: boolean }>(tryLock)).rows[0]?.mine !== true)
      await wait(LOCK_RETRY_MS);
    return await Promise.race([work(), lost]);
  } finally {
    // Ends the transaction, and with it the lock.
    await session.end().catch(() => {});
  }
};
