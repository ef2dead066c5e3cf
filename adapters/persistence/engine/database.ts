import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { type Database, databaseOn } from './engine.ts';
import type { Unlimited } from './orm.ts';
import { SET_SESSION } from './session-settings.ts';
import type { StandbyLocation } from './standby.ts';
import type { Rows } from './statement.ts';

export type { Database } from './engine.ts';

export interface PostgresLocation {
  readonly url: string;
  /** Connections per process; at least 2. */
  readonly pool: number;
  /**
   * The server itself, where `url` is a pooler in transaction mode. It is used for what needs a
   * connection of its own: the lock at start, LISTEN and migrations.
   */
  readonly directUrl?: string | undefined;
  /** A standby that answers statements and lists. */
  readonly read?: StandbyLocation | undefined;
}

/** A PostgreSQL server. A statement that hangs is given up after some seconds. */
export const openPostgres = async ({
  url,
  pool: max,
  directUrl,
  read,
}: PostgresLocation): Promise<Database> => {
  const [
    { listenForChanges },
    { connectionOptions, MIGRATION_OPTIONS, openPool, openSessions, runExclusively },
    { Standby },
  ] = await Promise.all([
    import('./change-listener.ts'),
    import('./postgres-sessions.ts'),
    import('./standby.ts'),
  ]);
  const [isPooled, direct] = [directUrl !== undefined, directUrl ?? url];
  const pool = openPool({ connectionString: url, max, ...connectionOptions(isPooled) });

  return databaseOn({
    ...openSessions(pool, { isPooled }),
    poolUse: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max,
    }),
    listen: listenForChanges(direct),
    ...(read && { openStandby: (ask) => new Standby(read, max, ask) }),
    withoutTimeLimit: async (work) => {
      const unlimited = openPool({ connectionString: direct, max: 2, ...MIGRATION_OPTIONS });
      try {
        await work(openSessions(unlimited, { isUnlimited: true }));
      } finally {
        await unlimited.end();
      }
    },
    close: async () => {
      if (!pool.ending) await pool.end();
    },
    exclusively: (work) => runExclusively(direct, work),
  });
};

/**
 * An embedded PostgreSQL (PGlite) in `folder`, for one process at a time; undefined: in memory,
 * lost when it is closed.
 *
 * @param dump what PGlite's `dumpDataDir` returned: the database starts as a copy of it
 */
export const openEmbedded = async (
  folder: string | undefined,
  dump?: Pick<Blob, 'arrayBuffer'>,
): Promise<Database> => {
  const unlock =
    folder === undefined ? () => {} : (await import('./folder-lock.ts')).lockFolder(folder);
  const isNew = folder === undefined || !existsSync(join(folder, 'PG_VERSION'));
  const [{ PGlite, types }, { readKept, keep }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('./kept-database.ts'),
  ]);
  const start = dump ?? (isNew ? readKept() : undefined);
  const client = await PGlite.create({
    ...(folder !== undefined && { dataDir: folder }),
    ...(start !== undefined && { loadDataDir: start as Blob }),
    // As text, as `columns.ts` expects times.
    parsers: Object.fromEntries(
      [types.DATE, types.TIMESTAMP, types.TIMESTAMPTZ, types.INTERVAL].map((type) => [
        type,
        (text: string) => text,
      ]),
    ),
  });
  await client.exec(SET_SESSION);
  // A text of several statements runs in a transaction: if one fails, none has an effect.
  const execute = (text: string, values: unknown[] = []): Promise<Rows> =>
    values.length > 0
      ? queryOn(client, text, values)
      : client.transaction((inside) => queryOn(inside, text, values));
  const transaction: Unlimited['transaction'] = (work) =>
    client.transaction((inside) =>
      work({ executeSql: (text, values = []) => queryOn(inside, text, values) }),
    );

  return databaseOn({
    run: ({ text }, values) => queryOn(client, text, values),
    execute,
    transaction,
    isEmbedded: true,
    // A migration begins its transactions itself: some statements refuse to run inside one.
    withoutTimeLimit: (work) =>
      work({ execute: (text, values = []) => queryOn(client, text, values), transaction }),
    ...(isNew &&
      start === undefined && {
        afterMigrations: async () => keep(await client.dumpDataDir('none')),
      }),
    exclusively: (work) => work(),
    close: async () => {
      if (!client.closed) await client.close();
      unlock();
    },
  });
};

/** Runs one statement with values, or a text of one or several without. */
const queryOn = async (
  client: Pick<PGlite, 'query' | 'exec'>,
  text: string,
  values: unknown[],
): Promise<Rows> => {
  if (values.length > 0) {
    const { rows, affectedRows } = await client.query(text, values);
    return { rows, rowCount: affectedRows ?? rows.length };
  }
  const answers = await client.exec(text);
  return {
    rows: answers.flatMap(({ rows }) => rows),
    rowCount: answers.at(-1)?.affectedRows,
  };
};
