import type { SqlEntityManager, SqlMikroORM } from '@mikro-orm/sql';
import { fromKysely } from 'pg-boss';
import { Changes, type Listen } from './changes.ts';
import { guarded } from './faults.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { ROWS } from './rows.ts';
import type { Executor, Run, Statement } from './statement.ts';

/** What PostgreSQL's pool and PGlite have in common. */
interface NativeClient {
  query(statement: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

interface EmbeddedClient extends NativeClient {
  transaction<Result>(
    work: (inside: { exec(text: string): Promise<{ rows: unknown[] }[]> }) => Promise<Result>,
  ): Promise<Result>;
}

export interface Database {
  /** A fresh entity manager: nothing it has loaded is seen by anyone else. */
  entities(): SqlEntityManager;
  readonly run: Run;
  /** For a library that brings its own SQL. */
  readonly executor: Executor;
  readonly isEmbedded: boolean;
  /** Runs `work` in one transaction; it must ask nobody else meanwhile. @throws Unavailable */
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
  /** What other processes change; undefined where there are none. */
  readonly changes?: Changes | undefined;
  /** Runs `work` while no other process on this database runs its own: for what happens once, at start. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Brings the tables up to date. @throws Error where they are too new for this version */
  migrate(): Promise<void>;
  /** What the server's settings put at risk, in words for an operator; empty where all is well. */
  warnings(): Promise<readonly string[]>;
  /** @throws Unavailable */
  check(): Promise<void>;
  close(): Promise<void>;
}

const commonOptions = (pool: { max: number }) => ({
  entities: ROWS,
  pool,
  forceUtcTimezone: true,
  // A database that is not there is the operator's to make: a mistyped URL must not make one.
  ensureDatabase: false,
  migrations: { migrationsList: MIGRATIONS, snapshot: false, silent: true },
  // The log is the service's own; what matters here reaches it as an error.
  logger: () => {},
});

export interface PostgresLocation {
  readonly url: string;
  /** Connections per process; at least 2. */
  readonly pool: number;
  /** The server itself, where `url` is a pooler that gives connections for a transaction: for the lock, LISTEN and migrations. */
  readonly directUrl?: string | undefined;
}

/** A PostgreSQL server. Whatever hangs is given up after some seconds. */
export const openPostgres = async ({
  url,
  pool,
  directUrl,
}: PostgresLocation): Promise<Database> => {
  const [
    { defineConfig, MikroORM },
    { noticesOf },
    { connectionOptions, exclusively, sessionsOf },
  ] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('./notices.ts'),
    import('./postgres.ts'),
  ]);
  const [isPooled, direct] = [directUrl !== undefined, directUrl ?? url];
  const openWith = (max: number, connectionString: string, driverOptions: object) =>
    MikroORM.init(
      defineConfig({
        ...commonOptions({ max }),
        clientUrl: connectionString,
        driverOptions: { connectionString, ...driverOptions },
      }),
    );
  const orm = await openWith(pool, url, connectionOptions(isPooled));
  const client = await orm.em.getConnection().getNativeClient();
  return databaseOn(orm, {
    ...sessionsOf(client, isPooled),
    notices: noticesOf(direct),
    patiently: async (work) => {
      // A migration that waits for a lock keeps all statements after it waiting: that has an end.
      const patient = await openWith(2, direct, {
        connectionTimeoutMillis: 5_000,
        keepAlive: true,
        options: '-c lock_timeout=30000',
      });
      try {
        await work(patient);
      } finally {
        await patient.close();
      }
    },
    // MikroORM closes what it has opened itself; a pool that only the statements used, it has forgotten.
    closed: async () => {
      if (!client.ended) await client.end();
    },
    exclusively: (work) => exclusively(direct, work),
  });
};

/**
 * An embedded PostgreSQL in `folder`; undefined: in memory, gone when it closes. One process at a time.
 *
 * @param dump reads what PGlite's `dumpDataDir` returned: the database starts as a copy of it
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
      ...commonOptions({ max: 1 }),
      dbName: folder ?? 'memory://',
      driverOptions: dump === undefined ? {} : { loadDataDir: dump },
    }),
  );
  const client: EmbeddedClient = await orm.em.getConnection().getNativeClient();
  return databaseOn(orm, {
    run: ({ text }, values) => client.query(text, values),
    // Several statements at once go in a transaction of their own: where one fails, nobody is left in the middle of it.
    execute: (text, values = []) =>
      values.length > 0
        ? client.query(text, values)
        : client.transaction(async (inside) => ({
            rows: (await inside.exec(text)).flatMap(({ rows }) => rows),
          })),
    transaction: (work) =>
      orm.em.fork().transactional((inside) => work(fromKysely(inside.getKysely()))),
    isEmbedded: true,
    patiently: (work) => work(orm),
    exclusively: (work) => work(),
    closed: unlock,
  });
};

interface Durability {
  readonly standbys: number;
  readonly synchronous_standbys: string;
  readonly synchronous_commit: string;
  readonly fsync: string;
}

const durability = {
  name: 'durability',
  text: `
    select (select count(*)::int from pg_stat_replication) as standbys,
      current_setting('synchronous_standby_names') as synchronous_standbys,
      current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync`,
};

const warningsOf = ({
  standbys,
  synchronous_standbys,
  synchronous_commit,
  fsync,
}: Durability): readonly string[] => [
  ...(standbys > 0 && synchronous_standbys === ''
    ? [
        'standbys are attached, but synchronous_standby_names is empty: a failover loses sales that were acknowledged',
      ]
    : []),
  ...(['off', 'local'].includes(synchronous_commit)
    ? [`synchronous_commit is ${synchronous_commit}: sales are acknowledged before they are safe`]
    : []),
  ...(fsync === 'off' ? ['fsync is off: a power failure loses sales, or the whole database'] : []),
];

/** @throws Error where a newer version has taken away what this one needs. */
const refuseNewerSchema = (executed: readonly string[]): void => {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const tooNew = executed.filter((name) => !known.has(name) && /^\d+-contract-/.test(name));
  if (tooNew.length > 0)
    throw new Error(
      `the database is too new for this version of the service: it has ${tooNew.join(', ')}. Start the version that made this change, or a newer one`,
    );
};

interface Engine {
  run(statement: Statement, values: unknown[]): Promise<{ rows: unknown[] }>;
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  readonly isEmbedded?: true;
  /** Where statements take as long as they take: a large table that is written anew needs more than any request may. */
  patiently(work: (orm: SqlMikroORM) => Promise<void>): Promise<void>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Tells of changes that other processes make. */
  readonly notices?: Listen;
  closed?(): void | Promise<void>;
}

const databaseOn = (orm: SqlMikroORM, engine: Engine): Database => {
  const run: Run = async <Row>(statement: Statement, values: unknown[]) =>
    (await guarded(() => engine.run(statement, values))).rows as Row[];
  const changes = engine.notices && new Changes(run, engine.notices);
  return {
    entities: () => orm.em.fork(),
    run,
    executor: { executeSql: (text, values) => engine.execute(text, values) },
    isEmbedded: engine.isEmbedded === true,
    transaction: (work) => guarded(() => engine.transaction(work)),
    changes,
    exclusively: (work) => guarded(() => engine.exclusively(work)),
    migrate: () =>
      guarded(async () => {
        const { Migrator } = await import('@mikro-orm/migrations');
        await engine.patiently(async ({ em }) => {
          refuseNewerSchema((await new Migrator(em).getExecuted()).map(({ name }) => name));
          if ((await new Migrator(em).getPending()).length > 0) await new Migrator(em).up();
        });
      }),
    warnings: async () => {
      const [found] = await run<Durability>(durability, []);
      return found === undefined ? [] : warningsOf(found);
    },
    check: async () => {
      await guarded(() => engine.run({ name: 'check', text: 'select 1' }, []));
    },
    close: async () => {
      changes?.stop();
      await orm.close();
      await engine.closed?.();
    },
  };
};
