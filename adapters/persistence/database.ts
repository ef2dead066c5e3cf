import { fromKysely } from 'pg-boss';
import { type Database, databaseOn } from './engine.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { ENTITIES } from './tables.ts';

export type { Database } from './engine.ts';

/** The part that PostgreSQL's pool and PGlite have in common. */
interface NativeClient {
  query(statement: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

interface EmbeddedClient extends NativeClient {
  transaction<Result>(
    work: (inside: { exec(text: string): Promise<{ rows: unknown[] }[]> }) => Promise<Result>,
  ): Promise<Result>;
}

const ormOptions = (pool: { max: number }) => ({
  entities: ENTITIES,
  pool,
  forceUtcTimezone: true,
  // A mistyped URL must not create a database.
  ensureDatabase: false,
  migrations: { migrationsList: MIGRATIONS, snapshot: false, silent: true },
  // The service logs the errors that it gets.
  logger: () => {},
});

export interface PostgresLocation {
  readonly url: string;
  /** Connections per process; at least 2. */
  readonly pool: number;
  /**
   * The server itself, where `url` is a pooler in transaction mode. It is used for what needs a
   * connection of its own: the lock at start, LISTEN and migrations.
   */
  readonly directUrl?: string | undefined;
}

/** A PostgreSQL server. A statement that hangs is given up after some seconds. */
export const openPostgres = async ({
  url,
  pool,
  directUrl,
}: PostgresLocation): Promise<Database> => {
  const [
    { defineConfig, MikroORM },
    { listenForChanges },
    { connectionOptions, MIGRATION_OPTIONS, openSessions, runExclusively },
  ] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('./change-listener.ts'),
    import('./postgres-sessions.ts'),
  ]);
  const [isPooled, direct] = [directUrl !== undefined, directUrl ?? url];
  const openWith = (max: number, connectionString: string, driverOptions: object) =>
    MikroORM.init(
      defineConfig({
        ...ormOptions({ max }),
        clientUrl: connectionString,
        driverOptions: { connectionString, ...driverOptions },
      }),
    );
  const orm = await openWith(pool, url, connectionOptions(isPooled));
  const client = await orm.em.getConnection().getNativeClient();

  return databaseOn(orm, {
    ...openSessions(client, isPooled),
    listen: listenForChanges(direct),
    withoutTimeLimit: async (work) => {
      const unlimited = await openWith(2, direct, MIGRATION_OPTIONS);
      try {
        await work(unlimited);
      } finally {
        await unlimited.close();
      }
    },
    // MikroORM does not close a pool that only native statements have used.
    close: async () => {
      if (!client.ended) await client.end();
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
  dump?: { arrayBuffer(): Promise<ArrayBuffer> },
): Promise<Database> => {
  const unlock =
    folder === undefined ? () => {} : (await import('./folder-lock.ts')).lockFolder(folder);
  const { defineConfig, MikroORM } = await import('@mikro-orm/pglite');
  const orm = await MikroORM.init(
    defineConfig({
      ...ormOptions({ max: 1 }),
      dbName: folder ?? 'memory://',
      driverOptions: dump === undefined ? {} : { loadDataDir: dump },
    }),
  );
  const client: EmbeddedClient = await orm.em.getConnection().getNativeClient();

  return databaseOn(orm, {
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
    close: unlock,
  });
};
