import type { SqlMikroORM } from '@mikro-orm/sql';
import { MIGRATIONS } from './migrations/index.ts';
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
 * @param openOrm called only if there are any
 * @throws Error where a newer version has removed what this version needs
 */
export const migrateSchema = async (
  query: Query,
  openOrm: (work: (orm: SqlMikroORM) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const executed = await executedIn(query);
  refuseNewerSchema(executed);
  if (MIGRATIONS.every(({ name }) => executed.includes(name))) return;

  const { Migrator } = await import('@mikro-orm/migrations');
  await openOrm(async ({ em }) => void (await new Migrator(em).up()));
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
