import {
  type EntityManager,
  LockMode,
  MikroORM,
  NativeQueryBuilder,
  PostgreSqlConnection,
  PostgreSqlDriver,
  RawQueryFragment,
} from '@mikro-orm/postgresql';
import { ENTITIES } from '../schema/entities.ts';
import type { Executor, Rows } from './statement.ts';

/** The entities, and the modes in which their rows are locked. */
export const entities = { ...ENTITIES, LockMode };

export type Entities = typeof entities;

/** The connections of a database, which MikroORM uses in the place of its own. */
export interface Connections {
  execute(text: string, values?: unknown[]): Promise<Rows>;
  /** Reads lists: a standby may answer. */
  read(text: string, values?: unknown[]): Promise<Rows>;
  transaction<Result>(work: (inside: Executor) => Promise<Result>): Promise<Result>;
}

/** The connections of migrations, whose statements have no time limit. */
export type Unlimited = Omit<Connections, 'read'>;

/**
 * MikroORM on the connections of a database, so that the same settings and time limits hold, behind
 * a pooler too. Its own connection writes values into the text of a statement, from where they can
 * reach the server's log; this one sends them beside it.
 *
 * @returns a manager to be forked for each unit of work
 */
export const openEntities = (connections: Connections): EntityManager => {
  const ownSend = (type: string) => connections[type === 'read' ? 'read' : 'execute'];

  class SharedConnection extends PostgreSqlConnection {
    override createKyselyDialect(): never {
      throw new Error('MikroORM has no connection of its own');
    }

    override async connect(): Promise<void> {
      this.connected = true;
    }

    override async close(): Promise<void> {}

    override async execute<Result>(
      query: string | NativeQueryBuilder | RawQueryFragment,
      given: readonly unknown[] | object = [],
      method: 'all' | 'get' | 'run' = 'all',
      inside?: object,
    ): Promise<Result> {
      const raw = query instanceof NativeQueryBuilder ? query.toRaw() : query;
      const { sql, params } = typeof raw === 'string' ? { sql: raw, params: given } : raw;
      const values: unknown[] = [];
      const numbers = (params as readonly unknown[]).map((value) =>
        value instanceof RawQueryFragment
          ? value
          : new RawQueryFragment(`$${values.push(parameterOf(value))}`),
      );
      const text = this.platform.formatQuery(sql, numbers);
      const sent = values.length > 0 ? values : undefined;
      const send = inside === undefined ? ownSend(this.type) : (inside as Executor).executeSql;
      const { rows, rowCount } = await send(text, sent).catch(throwWithoutDetail);
      return this.transformRawResult<Result>({ rows, numAffectedRows: rowCount }, method);
    }

    override transactional<Result>(
      work: (inside: never) => Promise<Result>,
      { ctx }: { readonly ctx?: object } = {},
    ): Promise<Result> {
      return ctx === undefined
        ? connections.transaction((inside) => work(inside as never))
        : work(ctx as never);
    }
  }

  class SharedDriver extends PostgreSqlDriver {
    override readonly connection = new SharedConnection(this.config);
    // Lists ask for it by `connectionType: 'read'`.
    override readonly replicas = [new SharedConnection(this.config, {}, 'read')];
  }

  const orm = new MikroORM({
    driver: SharedDriver,
    // Needed by MikroORM, which never connects to it.
    dbName: 'shared',
    preferReadReplicas: false,
    entities: Object.values(ENTITIES),
    forceUtcTimezone: true,
    // The service logs the errors that it gets.
    logger: () => {},
  });
  return orm.em;
};

/** The detail of a fault holds the row, and MikroORM would add it to the message. */
const throwWithoutDetail = (fault: { detail?: unknown }): never => {
  fault.detail = undefined;
  throw fault;
};

/** A value as both drivers take it. */
const parameterOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;
