import { Migrator } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MIGRATIONS } from '../schema/migrations/index.ts';
import { openEntities, type Unlimited } from './orm.ts';
import { type Query, statement } from './statement.ts';

const readExecuted = statement<Record<string, never>, { readonly name: string }>(
  'executed-migrations',
  'select name from mikro_orm_migrations',
);

/** SQLSTATE of a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

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
 * @throws Error where a newer version has removed what this version needs
 */
export const migrateSchema = async (
  query: Query,
  withoutTimeLimit: (work: (unlimited: Unlimited) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const executed = await executedIn(query);
  refuseNewerSchema(executed);
  if (MIGRATIONS.every(({ name }) => executed.includes(name))) return;

  await withoutTimeLimit(async ({ execute, transaction }) => {
    const migrator = await migratorOn(openEntities({ execute, read: execute, transaction }));
    await migrator.up();
  });
};

/** What runs the migrations; for tests too, which stop at one. */
export const migratorOn = async (em: EntityManager): Promise<Migrator> => {
  // MikroORM would create a database that it does not find under its name.
  const [present] = await em.execute<{ name: string }[]>('select current_database() as name');
  em.config.set('dbName', present?.name);
  em.config.set('migrations', {
    ...em.config.get('migrations'),
    migrationsList: await Promise.all(
      MIGRATIONS.map(async ({ name, load }) => ({ name, class: await load() })),
    ),
    // Each has a transaction of its own: the locks of several could deadlock with those of a sale.
    allOrNothing: false,
    snapshot: false,
    silent: true,
  });
  return new Migrator(em);
};

const refuseNewerSchema = (executed: readonly string[]): void => {
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const tooNew = executed.filter((name) => !known.has(name) && /^\d+-contract-/.test(name));
  if (tooNew.length > 0)
    throw new Error(
      `the database is too new for this version of the service: it has ${tooNew.join(', ')}. ` +
        'Start the version that made this change, or a newer one',
    );
};
