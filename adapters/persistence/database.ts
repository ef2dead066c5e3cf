import type { SqlMikroORM } from '@mikro-orm/sql';
import type pg from 'pg';
import { fromKysely } from 'pg-boss';
import { type Database, databaseOn } from './engine.ts';
import type { StandbyLocation } from './standby.ts';

export type { Database } from './engine.ts';

/** The part of PGlite that is used. */
interface EmbeddedClient {
  query(statement: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  transaction<Result>(
    work: (inside: { exec(text: string): Promise<{ rows: unknown[] }[]> }) => Promise<Result>,
  ): Promise<Result>;
  readonly closed: boolean;
  close(): Promise<void>;
}

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
    ...openSessions(pool, isPooled),
    poolUse: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max,
    }),
    openOrm: () => openPostgresOrm(url, pool),
    listen: listenForChanges(direct),
    ...(read && { openStandby: (ask) => new Standby(read, max, ask) }),
    withoutTimeLimit: async (work) => {
      const unlimited = openPool({ connectionString: direct, max: 2, ...MIGRATION_OPTIONS });
      try {
        const orm = await openPostgresOrm(direct, unlimited);
        await work(orm);
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

/** Lets MikroORM use a pool, which it ends when it is closed. */
const openPostgresOrm = async (url: string, pool: pg.Pool): Promise<SqlMikroORM> => {
  const [{ defineConfig, MikroORM }, { PostgresDialect }, { ormOptions }] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('kysely'),
    import('./orm.ts'),
  ]);
  const driverOptions = new PostgresDialect({ pool });
  return MikroORM.init(defineConfig({ ...(await ormOptions()), clientUrl: url, driverOptions }));
};

/**
 * An embedded PostgreSQL (PGlite) in `folder`, for one process at a time; undefined: in memory,
 * lost when it is closed.
 *
 * @param dump what PGlite's `dumpDataDir` returned: the database starts as a copy of it
 */
export const openEmbedded = async (
  folder: string | undefined,
  dump?: { arrayBuffer(): Promise<ArrayBuffer> },
): Promise<Database> => {
  const unlock =
    folder === undefined ? () => {} : (await import('./folder-lock.ts')).lockFolder(folder);
  const [{ defineConfig, MikroORM }, { ormOptions }] = await Promise.all([
    import('@mikro-orm/pglite'),
    import('./orm.ts'),
  ]);
  const orm = await MikroORM.init(
    defineConfig({
      ...(await ormOptions()),
      pool: { max: 1 },
      dbName: folder ?? 'memory://',
      driverOptions: dump === undefined ? {} : { loadDataDir: dump },
    }),
  );
  const client: EmbeddedClient = await orm.em.getConnection().getNativeClient();

  return databaseOn({
    openOrm: async () => orm,
    run: ({ text }, values) => client.query(text, values),
    // A text of several statements runs in a transaction: if one fails, none has an effect.
    execute: (text, values = []) =>
      values.length > 0
        ? client.query(text, values)
        : client.transaction(async (inside) => ({
            rows: (await inside.exec(text)).flatMap(({ rows }) => rows),
          })),
    transaction: (work) =>
      orm.em.fork().transactional((inside) => work(fromKysely(inside.getKysely()))),
    isEmbedded: true,
    withoutTimeLimit: (work) => work(orm),
    exclusively: (work) => work(),
    close: async () => {
      // MikroORM leaves it open where it has run no query of its own.
      if (!client.closed) await client.close();
      unlock();
    },
  });
};
