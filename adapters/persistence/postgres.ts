import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { Unavailable } from '../../application/unavailable.ts';
import type { Executor, Statement } from './statement.ts';

/** Time that a statement of a hot path, or of a transaction, may take: a host that is gone without a word is noticed after it, ms. */
const HOT_MS = 3_000;

/** Time that any other statement may take, ms; PostgreSQL cuts it off a little earlier. */
const LONGEST_MS = 12_000;
const CUT_OFF_MS = 10_000;

/** Time that a process may stand still inside a transaction: others wait for what it has locked, ms. */
const STANDSTILL_MS = 5_000;

/** Time between two tries for the lock of the start, ms. */
const LOCK_PAUSE_MS = 25;

const SERVER_LIMITS = {
  statement_timeout: CUT_OFF_MS,
  idle_in_transaction_session_timeout: STANDSTILL_MS,
};

/** Behind a pooler, a connection's own settings are not those of the server connection that it is given for a transaction. */
const BEGIN_POOLED = `begin; ${Object.entries(SERVER_LIMITS)
  .map(([name, ms]) => `set local ${name} = ${ms}`)
  .join('; ')}`;

/** How connections are made: without PostgreSQL's own time limits behind a pooler, which knows no such settings. */
export const connectionOptions = (isPooled: boolean) => ({
  connectionTimeoutMillis: 5_000,
  query_timeout: LONGEST_MS,
  keepAlive: true,
  ...(isPooled ? {} : SERVER_LIMITS),
});

interface Rows {
  readonly rows: unknown[];
}

/** What this service asks of a pool of connections, beside MikroORM. */
export interface Sessions {
  run(statement: Statement, values: unknown[]): Promise<Rows>;
  execute(text: string, values?: unknown[]): Promise<Rows>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
}

const isLate = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * Statements on a pool. Behind a transaction pooler (`isPooled`), each goes in a transaction of its own, which sets its time
 * limits, and without a name: which server connection knows a name, only the pooler knows.
 */
export const sessionsOf = (pool: pg.Pool, isPooled: boolean): Sessions => {
  const dropSuspects = suspectsOf(pool);
  const noticing = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (isLate(error)) dropSuspects();
      throw error;
    }
  };

  const transaction = async <Result>(
    work: (
      ask: (text: string, values?: unknown[], timeoutMs?: number) => Promise<Rows>,
    ) => Promise<Result>,
  ): Promise<Result> => {
    const session = await pool.connect();
    const ask = (text: string, values?: unknown[], timeoutMs = HOT_MS): Promise<Rows> =>
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
      // Where a connection is given up, PostgreSQL rolls back by itself.
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
      const timeoutMs = isSlow ? LONGEST_MS : HOT_MS;
      const query = { name, text, values, query_timeout: timeoutMs };
      return noticing(
        isPooled ? transaction((ask) => ask(text, values, timeoutMs)) : pool.query(query),
      );
    },
    // Several statements at once, without values, bring their own transaction.
    execute: (text, values) =>
      noticing(
        isPooled && values
          ? transaction((ask) => ask(text, values, LONGEST_MS))
          : pool.query(text, values),
      ),
    transaction: (work) =>
      noticing(transaction((ask) => work({ executeSql: (text, values) => ask(text, values) }))),
  };
};

/**
 * Finds connections that may hang like one that just did: those that wait in the pool and have not been used since its
 * statement was sent. Closes them, so that the next statements go on new ones.
 */
const suspectsOf = (pool: pg.Pool): (() => void) => {
  const usedAt = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => usedAt.delete(client));
  pool.on('release', (_, client) => usedAt.set(client, performance.now()));
  pool.on('remove', (client) => usedAt.delete(client));
  return () => {
    const sentAt = performance.now() - HOT_MS;
    for (const [client, at] of usedAt) if (at <= sentAt) streamOf(client).destroy();
  };
};

/** Ending a connection politely would wait for a host that does not answer. */
const streamOf = (client: pg.PoolClient): { destroy(): void } =>
  (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } })
    .connection.stream;

/**
 * Runs `work` while no other process on this database runs its own. The lock belongs to a transaction, because a lock of a
 * session would stay with a pooler's server connection.
 */
export const exclusively = async <Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const limits = { connectionTimeoutMillis: 5_000, query_timeout: LONGEST_MS, keepAlive: true };
  const session = new pg.Client({ connectionString: url, ...limits });
  const lost = new Promise<never>((_, reject) => {
    for (const event of ['error', 'end'] as const)
      session.on(event, () => reject(new Unavailable('the lock of the start was lost')));
  });
  lost.catch(() => {});
  try {
    await session.connect();
    await session.query('begin; set local idle_in_transaction_session_timeout = 0');
    // Asked again and again: a statement that waits would be cut off by a time limit of the role or database.
    const ask = `select pg_try_advisory_xact_lock(hashtext('insurance-sales')) as mine`;
    while ((await session.query<{ mine: boolean }>(ask)).rows[0]?.mine !== true)
      await wait(LOCK_PAUSE_MS);
    return await Promise.race([work(), lost]);
  } finally {
    // The lock goes with the connection.
    await session.end().catch(() => {});
  }
};
