import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { Unavailable } from '../../../application/unavailable.ts';
import { askDriver } from './faults.ts';
import { LEVEL, MEANING, SET_SESSION, type Settings, setAll } from './session-settings.ts';
import type { Executor, Rows, Statement } from './statement.ts';

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

/** Begins a transaction on a connection whose settings are known. */
const BEGIN = `begin ${LEVEL}`;

/**
 * Begins a transaction behind a pooler, where each one gets another server connection: it sets all
 * itself.
 *
 * @param mode of the transaction: `read only`
 */
export const beginPooled = (limits: Settings, mode = ''): string =>
  `begin ${LEVEL} ${mode}; ${setAll('set local', { ...MEANING, ...limits })}`;

const BEGIN_POOLED = beginPooled(SERVER_LIMITS);

/** The options of the pool. A pooler refuses connections that bring settings. */
export const connectionOptions = (isPooled: boolean): PoolOptions => ({
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: SLOW_STATEMENT_MS,
  keepAlive: true,
  ...(isPooled ? { isPooled } : SERVER_LIMITS),
});

/**
 * For migrations, which have no time limit but one: while a migration waits for a lock, all
 * statements that come after it wait too, so it waits 30 s at most.
 */
export const MIGRATION_OPTIONS: PoolOptions = {
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  settings: { statement_timeout: 0, idle_in_transaction_session_timeout: 0, lock_timeout: 30_000 },
};

interface PoolOptions extends pg.PoolConfig {
  /** Whether connections lead to a pooler, so that their settings would reach other sessions. */
  readonly isPooled?: boolean;
  /** Settings of each connection beside the usual ones. */
  readonly settings?: Settings;
}

/** Gives a new connection the settings that its reading depends on. */
const prepareSession = async (client: pg.ClientBase, settings: Settings = {}): Promise<void> => {
  const text = `${SET_SESSION}; ${setAll('set', settings)}`;
  await client.query({ text, query_timeout: CONNECT_MS } as pg.QueryConfig);
};

/** Opens a pool of connections. Reads times as text, as `columns.ts` expects them. */
export const openPool = ({ isPooled, settings, ...options }: PoolOptions): pg.Pool => {
  const types = new pg.TypeOverrides();
  for (const type of [DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL])
    types.setTypeParser(type, (text: string) => text);
  const pool = new pg.Pool({
    ...options,
    types,
    ...(!isPooled && { onConnect: (client) => prepareSession(client, settings) }),
  });
  // An error without a listener would end the process. The pool drops the connection, and a query
  // that it was running fails by itself.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  return pool;
};

/** A connection of its own, outside of all pools, and never behind a pooler. */
export const makeSession = (url: string, options: pg.ClientConfig = {}) => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...options,
  });
  const connect = async (): Promise<void> => {
    await askDriver(client.connect());
    await askDriver(prepareSession(client));
  };
  return { client, connect };
};

/** Runs statements on a pool of connections. */
interface Sessions {
  run(statement: Statement, values: unknown[]): Promise<Rows>;
  /** Takes each error: after a timeout it closes connections that may hang as well. */
  noteFailure(error: unknown): void;
  execute(text: string, values?: unknown[]): Promise<Rows>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
}

const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

interface SessionKind {
  readonly isPooled?: boolean;
  /** Whether statements have no time limit: those of migrations. */
  readonly isUnlimited?: boolean;
}

/**
 * Runs statements on a pool. Behind a pooler in transaction mode (`isPooled`), each statement runs
 * in a transaction of its own, which sets the time limits, and has no name, because the server
 * connection of the next transaction may not know it.
 */
export const openSessions = (
  pool: pg.Pool,
  { isPooled = false, isUnlimited = false }: SessionKind,
): Sessions => {
  const closeSuspects = suspectsOf(pool);

  const noteFailure = (error: unknown): void => {
    if (isReadTimeout(error)) closeSuspects();
  };

  const transaction = async <Result>(
    work: (
      ask: (text: string, values?: unknown[], timeoutMs?: number) => Promise<Rows>,
    ) => Promise<Result>,
  ): Promise<Result> => {
    const session = await askDriver(pool.connect());
    const ask = (
      text: string,
      values?: unknown[],
      timeoutMs = REQUEST_STATEMENT_MS,
    ): Promise<Rows> =>
      askDriver(
        session.query({
          text,
          ...(values && { values }),
          ...(!isUnlimited && { query_timeout: timeoutMs }),
        } as pg.QueryConfig),
      );
    let isUsable = true;
    try {
      await ask(isPooled ? BEGIN_POOLED : BEGIN);
      const result = await work(ask);
      await ask('commit');
      return result;
    } catch (error) {
      // A connection that is closed is rolled back by PostgreSQL.
      isUsable =
        !isReadTimeout(error) &&
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
      return askDriver(pool.query(query));
    },
    noteFailure,
    // A text of several statements has no values, and may bring its own transaction.
    execute: (text, values) => {
      if (!isPooled) return askDriver(pool.query(text, values));
      if (values) return transaction((ask) => ask(text, values, SLOW_STATEMENT_MS));
      return executePooled(pool, text);
    },
    transaction: (work) =>
      transaction((ask) => work({ executeSql: (text, values) => ask(text, values) })),
  };
};

/** Runs a text of one or several statements, and returns what they return. */
const executePooled = async (pool: pg.Pool, text: string): Promise<Rows> => {
  const answers = await askDriver(pool.query(`${BEGIN_POOLED}; ${text}; commit`));
  const own = [answers].flat().slice(BEGIN_POOLED.split(';').length, -1);
  return (own.length === 1 ? own[0] : own) as Rows;
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
  const { client: session, connect } = makeSession(url, { query_timeout: SLOW_STATEMENT_MS });
  const lost = new Promise<never>((_, reject) => {
    for (const event of ['error', 'end'] as const)
      session.on(event, () => reject(new Unavailable('the lock of the start was lost')));
  });
  lost.catch(() => {});

  try {
    await connect();
    await askDriver(session.query('begin; set local idle_in_transaction_session_timeout = 0'));
    // Polls, because a statement that waits could be cancelled by a time limit of the role or
    // database.
    const tryLock = `select pg_try_advisory_xact_lock(hashtext('insurance-sales')) as mine`;
    const isMine = async (): Promise<boolean> =>
      (await askDriver(session.query<{ mine: boolean }>(tryLock))).rows[0]?.mine === true;
    while (!(await isMine())) await wait(LOCK_RETRY_MS);
    return await Promise.race([work(), lost]);
  } finally {
    // Ends the transaction, and with it the lock.
    await session.end().catch(() => {});
  }
};
