import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '#domain';
import type { StoredMigration } from '../schema/migrations/index.ts';
import { ChangeFeed, type Listen } from './change-feed.ts';
import { asStoreFault, guarded } from './faults.ts';
import { migrateSchema } from './migrate-schema.ts';
import type { Connections, Entities, Unlimited } from './orm.ts';
import { durabilityWarnings } from './server-warnings.ts';
import type { Standby } from './standby.ts';
import type { Executor, Query, Rows, Run, Statement, StatementOf } from './statement.ts';

export interface Database {
  /**
   * Runs `work` with a MikroORM entity manager of its own, which shares no loaded entities with
   * others, and with the entities. The first call loads MikroORM, a third of a start.
   *
   * @throws Unavailable
   */
  entities<Result>(
    work: (em: EntityManager, entities: Entities) => Promise<Result>,
  ): Promise<Result>;
  readonly run: Run;
  readonly query: Query;
  /**
   * Runs a statement that only reads, on the standby where there is one that has everything stored
   * until `asOf` (absent: until now), else on the primary. @throws Unavailable
   */
  read<Values extends object, Row>(
    statement: StatementOf<Values, Row>,
    values: Values,
    asOf?: Instant,
  ): Promise<readonly Row[]>;
  /** Up to when the standby surely has everything; undefined: none is used now. */
  readAsOf(): Instant | undefined;
  /** Seconds that the standby is behind; undefined without a standby, or if it is not known. */
  readLag(): number | undefined;
  /** Runs the SQL of a library. @throws Unavailable */
  readonly executor: Executor;
  readonly isEmbedded: boolean;
  /** How the pool of connections is used; undefined for the embedded database, which has none. */
  readonly poolUse?: (() => PoolUse) | undefined;
  /** Runs `work` in one transaction. `work` must make no remote call. @throws Unavailable */
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
  /** Reports changes by other processes; undefined for the embedded database, which has none. */
  readonly changes?: ChangeFeed | undefined;
  /** Runs `work` while no other process on this database runs its own: for the start. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Brings the tables up to date. @throws Error where they are too new for this version */
  /** @param migrations those of the service by default; others in tests */
  migrate(migrations?: readonly StoredMigration[]): Promise<void>;
  /** The settings of the server that put data at risk, in words for an operator. */
  warnings(): Promise<readonly string[]>;
  /** @throws Unavailable */
  check(): Promise<void>;
  close(): Promise<void>;
}

interface PoolUse {
  readonly inUse: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** What PostgreSQL and PGlite do in different ways. */
interface Engine {
  run(statement: Statement, values: unknown[]): Promise<Rows>;
  /** Called with each error of `run`, `execute` and `transaction`. */
  noteFailure?(error: unknown): void;
  execute(text: string, values?: unknown[]): Promise<Rows>;
  readonly isEmbedded?: true;
  readonly poolUse?: () => PoolUse;
  /** Runs migrations: rewriting a large table takes longer than any request may. */
  withoutTimeLimit(work: (unlimited: Unlimited) => Promise<void>): Promise<void>;
  /** Called once this version's migrations are done. */
  afterMigrations?(): Promise<void>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reports changes by other processes. */
  readonly listen?: Listen;
  openStandby?(askPrimary: Query): Standby;
  close(): void | Promise<void>;
}

/** Makes the database of an engine. */
export const databaseOn = (engine: Engine): Database => {
  const failureOf = (error: unknown): unknown => {
    engine.noteFailure?.(error);
    return asStoreFault(error);
  };

  const run: Run = async <Row>(statement: Statement, values: unknown[]) => {
    try {
      return (await engine.run(statement, values)).rows as Row[];
    } catch (error) {
      throw failureOf(error);
    }
  };

  const noted = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      engine.noteFailure?.(error);
      throw error;
    }
  };

  const execute: Executor['executeSql'] = (text, values) => noted(engine.execute(text, values));

  const query: Query = (statement, values) => run(statement, statement.values(values));
  const changes = engine.listen && new ChangeFeed(query, engine.listen);
  const standby = engine.openStandby?.(query);

  const connections: Connections = {
    execute: (text, values = []) => noted(engine.run({ text }, values)),
    read: async (text, values) => {
      const rows = await standby?.read({ text, values: values ?? [] });
      return rows === undefined ? execute(text, values) : { rows: [...rows] };
    },
    transaction: (work) => noted(engine.transaction(work)),
  };
  let opened: Promise<readonly [EntityManager, Entities]> | undefined;
  const open = async () => {
    const { openEntities, entities } = await import('./orm.ts');
    return [openEntities(connections), entities] as const;
  };

  return {
    entities: async (work) => {
      opened ??= open();
      const [em, entities] = await opened;
      return guarded(() => work(em.fork(), entities));
    },
    run,
    query,
    read: readOn(standby, query),
    readAsOf: () => standby?.asOf,
    readLag: () => standby?.lag,
    executor: { executeSql: (text, values) => guarded(() => execute(text, values)) },
    isEmbedded: engine.isEmbedded === true,
    poolUse: engine.poolUse,
    transaction: (work) => guarded(() => noted(engine.transaction(work))),
    changes,
    exclusively: (work) => guarded(() => engine.exclusively(work)),
    migrate: (migrations) =>
      guarded(async () => {
        await migrateSchema(query, engine.withoutTimeLimit, migrations);
        if (migrations === undefined) await engine.afterMigrations?.();
      }),
    warnings: () => durabilityWarnings(query),
    check: async () => {
      await run({ name: 'check', text: 'select 1' }, []);
    },
    close: async () => {
      changes?.stop();
      await standby?.close();
      await engine.close();
    },
  };
};

const readOn = (standby: Standby | undefined, query: Query): Database['read'] =>
  async function read<Values extends object, Row>(
    statement: StatementOf<Values, Row>,
    values: Values,
    asOf?: Instant,
  ) {
    const given = { text: statement.text, values: statement.values(values) };
    const rows = await standby?.read(given, asOf);
    return rows === undefined ? query(statement, values) : (rows as Row[]);
  };
