import type { Migrator } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MIGRATIONS, type StoredMigration } from '../schema/migrations/index.ts';
import { LISTEN, newestKnownIn } from './change-listener.ts';
import type { Unlimited } from './orm.ts';
import { type Query, statement } from './statement.ts';

const readExecuted = statement<Record<string, never>, { readonly name: string }>(
  'executed-migrations',
  'select name from mikro_orm_migrations',
);

/** SQLSTATE: a table does not exist; a lock was not got in time. */
const UNDEFINED_TABLE = '42P01';
const LOCK_NOT_AVAILABLE = '55P03';

/** The names of the migrations that the database has. */
const executedIn = async (query: Query): Promise<readonly string[]> => {
  try {
    return (await query(readExecuted, {})).map(({ name }) => name);
  } catch (error) {
    if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
    throw error;
  }
};

/**
 * Runs the migrations that the database lacks.
 *
 * @throws Error where a newer version has removed what this version needs, where processes work that
 * need what this version removes, and where a migration gets no lock
 */
export const migrateSchema = async (
  query: Query,
  withoutTimeLimit: (work: (unlimited: Unlimited) => Promise<void>) => Promise<void>,
  migrations: readonly StoredMigration[] = MIGRATIONS,
): Promise<void> => {
  const executed = await executedIn(query);
  refuseNewerSchema(executed, migrations);
  if (migrations.every(({ name }) => executed.includes(name))) return;
  await refuseBesideEarlier(query, executed, migrations);

  await withoutTimeLimit(async ({ execute, transaction }) => {
    const { openEntities } = await import('./orm.ts');
    const em = openEntities({ execute, read: execute, transaction });
    const migrator = await migratorOn(em, migrations);
    await migrator.up().catch(explainLock);
  });
};

/** Other faults of this class mean that the database is out of reach. */
const explainLock = (error: unknown): never => {
  throw (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE
    ? new Error(
        'a migration got no lock, because a statement, perhaps of a backup, holds a table for long. ' +
          'Start this version again when it is over',
      )
    : error;
};

const migratorOn = async (
  em: EntityManager,
  migrations: readonly StoredMigration[],
): Promise<Migrator> => {
  // MikroORM would create a database that it does not find under its name.
  const [present] = await em.execute<{ name: string }[]>('select current_database() as name');
  em.config.set('dbName', present?.name);
  em.config.set('migrations', {
    ...em.config.get('migrations'),
    migrationsList: await Promise.all(
      migrations.map(async ({ name, load }) => ({ name, class: await load() })),
    ),
    // Each has a transaction of its own: the locks of several could deadlock with those of a sale.
    allOrNothing: false,
    snapshot: false,
    silent: true,
  });
  const { Migrator } = await import('@mikro-orm/migrations');
  return new Migrator(em);
};

const refuseNewerSchema = (
  executed: readonly string[],
  migrations: readonly StoredMigration[],
): void => {
  const known = new Set(migrations.map(({ name }) => name));
  const tooNew = executed.filter((name) => !known.has(name) && /^\d+-contract-/.test(name));
  if (tooNew.length > 0)
    throw new Error(
      `the database is too new for this version of the service: it has ${tooNew.join(', ')}. ` +
        'Start the version that made this change, or a newer one',
    );
};

/** The sessions of processes that work: each listens. */
const readSessions = statement<
  Record<string, never>,
  { readonly query: string; readonly address: string }
>(
  'working-sessions',
  `
    select query, coalesce(host(client_addr), 'a socket') as address from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and query like '${LISTEN}%'`,
);

/**
 * A `contract` migration removes what a process needs that does not know the migration before it.
 * Such a process would go on, and not all that it writes would be found.
 */
const refuseBesideEarlier = async (
  query: Query,
  executed: readonly string[],
  migrations: readonly StoredMigration[],
): Promise<void> => {
  const removal = migrations.findLastIndex(
    ({ name }) => name.includes('-contract-') && !executed.includes(name),
  );
  const needed = migrations[removal - 1]?.name;
  if (needed === undefined) return;
  const earlier = await findEarlier(query, needed);
  if (earlier.length > 0)
    throw new Error(
      `processes of a version before ${needed} use this database from ` +
        `${earlier.join(', ')}, and could not go on after a newer migration. Stop them ` +
        'first, or start the releases between one after the other',
    );
};

/** The addresses of running processes of a version before a migration. */
const findEarlier = async (query: Query, migration: string): Promise<readonly string[]> => {
  const sessions = await query(readSessions, {});
  const earlier = sessions.filter((session) => newestKnownIn(session.query) < migration);
  return [...new Set(earlier.map(({ address }) => address))];
};

/** @throws Error where a process of a version before groups runs: it would sell for all in group 0 */
export const refuseWithoutGroups = async ({ query }: { readonly query: Query }): Promise<void> => {
  const earlier = await findEarlier(query, '0012-expand-group-moves');
  if (earlier.length > 0)
    throw new Error(
      `processes of an earlier version, which knows no groups, run at ${earlier.join(', ')}: replace them first`,
    );
};
