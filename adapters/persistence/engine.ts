import type { EntitySchema } from '@mikro-orm/core';
import type { SqlEntityManager, SqlMikroORM } from '@mikro-orm/sql';
import type { Instant } from '#domain';
import { ChangeFeed, type Listen } from './change-feed.ts';
import { asStoreFault, guarded } from './faults.ts';
import { migrateSchema } from './migrate-schema.ts';
import { durabilityWarnings } from './server-warnings.ts';
import type { Standby } from './standby.ts';
import type { Executor, Query, Run, Statement, StatementOf } from './statement.ts';
import type { TableName } from './tables.ts';

export interface Database {
  /** A fresh MikroORM entity manager, which shares no loaded entities with others. */
  entities(): Promise<SqlEntityManager>;
  /** The rows of a table, by a query that MikroORM builds. @throws Unavailable */
  find(table: TableName, where: object, options?: FindOptions): Promise<readonly object[]>;
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
  /** Seconds that the standby is behind; undefined: there is none, or it is not known. */
  readLag(): number | undefined;
  /** For a library that brings its own SQL. */
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
  migrate(): Promise<void>;
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

interface FindOptions {
  readonly orderBy?: Readonly<Record<string, 'asc' | 'desc'>>;
  readonly limit?: number;
  /** Whether the standby may answer, where it has everything that is stored now. */
  readonly isList?: true;
}

/** What PostgreSQL and PGlite do in different ways. */
interface Engine {
  /** Called when MikroORM is first needed. */
  openOrm(): Promise<SqlMikroORM>;
  run(statement: Statement, values: unknown[]): Promise<{ rows: unknown[] }>;
  /** Called with each error of `run`, `execute` and `transaction`. */
  noteFailure?(error: unknown): void;
  execute(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  readonly isEmbedded?: true;
  readonly poolUse?: () => PoolUse;
  /** For migrations: rewriting a large table takes longer than any request may. */
  withoutTimeLimit(work: (orm: SqlMikroORM) => Promise<void>): Promise<void>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reports changes by other processes. */
  readonly listen?: Listen;
  openStandby?(askPrimary: Query): Standby;
  close(): void | Promise<void>;
}

/** Makes the database of an engine; MikroORM is used for its migrations and for lists. */
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

  /** The errors of the library's own SQL pass unchanged. */
  const execute: Executor['executeSql'] = async (text, values) => {
    try {
      return await engine.execute(text, values);
    } catch (error) {
      engine.noteFailure?.(error);
      throw error;
    }
  };

  const transaction: Database['transaction'] = async (work) => {
    try {
      return await engine.transaction(work);
    } catch (error) {
      throw failureOf(error);
    }
  };

  let opening: Promise<SqlMikroORM> | undefined;
  const entities: Database['entities'] = async () => {
    opening ??= engine.openOrm();
    // After a failure, the next call tries again.
    opening.catch(() => {
      opening = undefined;
    });
    return (await opening).em.fork();
  };

  const query: Query = (statement, values) => run(statement, statement.values(values));
  const changes = engine.listen && new ChangeFeed(query, engine.listen);
  const standby = engine.openStandby?.(query);

  const find: Database['find'] = (table, where, { isList, ...options } = {}) =>
    guarded(async () => {
      const [em, { ENTITIES }] = await Promise.all([entities(), import('./orm.ts')]);
      const entity = ENTITIES.get(table) as EntitySchema;
      const list = listText(em, entity, where, options);
      const found = isList && (await standby?.read(list));
      const rows = found || (await execute(list.text, [])).rows;
      return rows.map((row) => em.map(entity, row as object));
    });

  return {
    entities,
    find,
    run,
    query,
    read: readOn(standby, query),
    readAsOf: () => standby?.asOf,
    readLag: () => standby?.lag,
    executor: { executeSql: execute },
    isEmbedded: engine.isEmbedded === true,
    poolUse: engine.poolUse,
    transaction,
    changes,
    exclusively: (work) => guarded(() => engine.exclusively(work)),
    migrate: () => guarded(() => migrateSchema(query, engine.withoutTimeLimit)),
    warnings: () => durabilityWarnings(query),
    check: async () => {
      await run({ name: 'check', text: 'select 1' }, []);
    },
    close: async () => {
      changes?.stop();
      await standby?.close();
      await (await opening?.catch(() => undefined))?.close();
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

/** The query that MikroORM builds, with its values in it. */
const listText = (
  em: SqlEntityManager,
  entity: EntitySchema,
  where: object,
  { orderBy = {}, limit }: FindOptions,
): { readonly text: string } => ({
  text: em
    .createQueryBuilder<object>(entity)
    .where(where)
    .orderBy(orderBy)
    .limit(limit)
    .getFormattedQuery(),
});
