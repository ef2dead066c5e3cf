import { readdirSync } from 'node:fs';
import type { Migration } from '@mikro-orm/migrations';

type MigrationClass = new (...given: ConstructorParameters<typeof Migration>) => Migration;

export interface StoredMigration {
  readonly name: string;
  load(): Promise<MigrationClass>;
}

/**
 * The migrations: the files of this folder, in the order of their names. A released one is never
 * edited.
 *
 * After the baseline, the name says what it means for the version before, which runs beside the new
 * one while processes are replaced. `expand` only adds, so the version before keeps working.
 * `contract` removes what only older versions need: a version that does not know it refuses to
 * start. A release has one kind, not both.
 */
export const MIGRATIONS: readonly StoredMigration[] = readdirSync(import.meta.dirname)
  .filter((file) => /^\d{4}-.+\.ts$/.test(file))
  .sort()
  .map((file) => ({
    name: file.slice(0, -'.ts'.length),
    load: async () => Object.values<MigrationClass>(await import(`./${file}`))[0] as MigrationClass,
  }));
