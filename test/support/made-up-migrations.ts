import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  MIGRATIONS,
  type StoredMigration,
} from '../../adapters/persistence/schema/migrations/index.ts';
import { temporaryFolder } from './children.ts';
import { Remark } from './migrations/9001-expand-remark.ts';
import { NoRemark } from './migrations/9002-contract-remark.ts';

export const EXPAND: StoredMigration = { name: '9001-expand-remark', load: async () => Remark };
export const CONTRACT: StoredMigration = {
  name: '9002-contract-remark',
  load: async () => NoRemark,
};

/** The migrations of a made-up next release, and of the one after it. */
export const EXPANDED = [...MIGRATIONS, EXPAND];
export const CONTRACTED = [...EXPANDED, CONTRACT];

const ROOT = new URL('../..', import.meta.url).pathname;

/** A copy of this version with made-up migrations. @returns its folder */
export const releaseWith = (...migrations: readonly StoredMigration[]): string => {
  const folder = temporaryFolder();
  for (const part of ['domain', 'application', 'adapters', 'bootstrap', 'package.json'])
    cpSync(join(ROOT, part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const { name } of migrations) {
    const text = readFileSync(new URL(`migrations/${name}.ts`, import.meta.url), 'utf8');
    const schema = 'adapters/persistence/schema';
    const moved = text.replaceAll(`../../../${schema}/`, '../');
    writeFileSync(join(folder, schema, 'migrations', `${name}.ts`), moved);
  }
  return folder;
};
