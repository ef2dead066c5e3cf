import { setTimeout } from 'node:timers/promises';
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
  transaction<Result>(work: (inside: { exec(text: string): Promise<{ rows: unknown[] }[]> }) => Promise<Result>): Promise<Result>;
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
  /** Brings the tables up to date. */
  migrate(): Promise<void>;
  /** @throws Unavailable */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds between two questions for the lock. */
const LOCK_PAUSE = 25;

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
}

/** A PostgreSQL server. Whatever hangs is given up after some seconds. */
export const openPostgres = async ({ url, pool }: PostgresLocation): Promise<Database> => {
  const [{ defineConfig, MikroORM }, { noticesOf }] = await Promise.all([
    import('@mikro-orm/postgresql'),
    import('./notices.ts'),
  ]);
  // A process that stands still in the middle of a transaction must not keep the others waiting for what it has locked.
  const inTransaction = { idle_in_transaction_session_timeout: 5_000 };
  const inTime = { connectionTimeoutMillis: 5_000, statement_timeout: 10_000, query_timeout: 12_000, ...inTransaction };
  const limits = { ...inTime, keepAlive: true };
  const openWith = (max: number, driverOptions: object) =>
    MikroORM.init(
      defineConfig({
        ...commonOptions({ max }),
        clientUrl: url,
        driverOptions: { connectionString: url, ...driverOptions },
      }),
    );
  const orm = await openWith(pool, limits);
  const client = await orm.em.getConnection().getNativeClient();
  return databaseOn(orm, {
    run: (statement, values) => client.query({ ...statement, values }),
    execute: (text, values) => client.query(text, values),
    notices: noticesOf(url),
    patiently: async (work) => {
      // Whoever waits for a lock keeps all who come after waiting: that has an end.
      const { connectionTimeoutMillis, keepAlive } = limits;
      const patient = await openWith(2, { connectionTimeoutMillis, keepAlive, lock_timeout: 30_000 });
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
    exclusively: async (work) => {
      const session = await client.connect();
      try {
        await waitFor(() => session.query<{ mine: boolean }>(`select pg_try_advisory_lock(hashtext('insurance-sales')) as mine`));
        return await work();
      } finally {
        // The lock goes with the session.
        session.release(true);
      }
    },
  });
};

/** An embedded PostgreSQL in `folder`; undefined: in memory, gone when it closes. One process at a time. */
export const openEmbedded = async (folder: string | undefined): Promise<Database> => {
  const unlock = folder === undefined ? () => {} : (await import('./folder-lock.ts')).lockFolder(folder);
  const { defineConfig, MikroORM } = await import('@mikro-orm/pglite');
  const orm = await MikroORM.init(defineConfig({ ...commonOptions({ max: 1 }), dbName: folder ?? 'memory://' }));
  const client: EmbeddedClient = await orm.em.getConnection().getNativeClient();
  return databaseOn(orm, {
    run: ({ text }, values) => client.query(text, values),
    // Several statements at once go in a transaction of their own: where one fails, nobody is left in the middle of it.
    execute: (text, values = []) =>
      values.length > 0
        ? client.query(text, values)
        : client.transaction(async (inside) => ({ rows: (await inside.exec(text)).flatMap(({ rows }) => rows) })),
    isEmbedded: true,
    patiently: (work) => work(orm),
    exclusively: (work) => work(),
    closed: unlock,
  });
};

/** Asks until the lock is ours: a waiting statement would be cut off by its own time limit. */
const waitFor = async (ask: () => Promise<{ rows: { mine: boolean }[] }>): Promise<void> => {
  while ((await ask()).rows[0]?.mine !== true) await setTimeout(LOCK_PAUSE);
};

interface Engine {
  run(statement: Statement, values: unknown[]): Promise<{ rows: unknown[] }>;
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  readonly isEmbedded?: true;
  /** Where statements take as long as they take: a large table that is written anew needs more than any request may. */
  patiently(work: (orm: SqlMikroORM) => Promise<void>): Promise<void>;
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
    transaction: (work) => guarded(() => orm.em.fork().transactional((inside) => work(fromKysely(inside.getKysely())))),
    changes,
    exclusively: (work) => guarded(() => engine.exclusively(work)),
    migrate: () =>
      guarded(async () => {
        const { Migrator } = await import('@mikro-orm/migrations');
        if ((await new Migrator(orm.em).getPending()).length === 0) return;
        await engine.patiently(async ({ em }) => {
          await new Migrator(em).up();
        });
      }),
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
