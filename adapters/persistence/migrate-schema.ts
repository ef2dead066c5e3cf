import type { SqlMikroORM } from '@mikro-orm/sql';
import { MIGRATIONS } from './migrations/index.ts';

/**
 * Runs the migrations that the database lacks.
 *
 * @throws Error where a newer version has removed what this version needs
 */
export const migrateSchema = async ({ em }: SqlMikroORM): Promise<void> => {
  const { Migrator } = await import('@mikro-orm/migrations');
  refuseNewerSchema((await new Migrator(em).getExecuted()).map(({ name }) => name));
  if ((await new Migrator(em).getPending()).length > 0) await new Migrator(em).up();
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
