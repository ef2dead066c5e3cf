import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** With the compiled code of the last start. */
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/embedded');

const MIGRATIONS = join(import.meta.dirname, '../schema/migrations');

/** Another PGlite, or another migration, makes another database. */
const nameOf = (): string => {
  const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'));
  const hash = createHash('sha256').update(readFileSync(manifest));
  for (const file of readdirSync(MIGRATIONS).sort())
    hash.update(readFileSync(join(MIGRATIONS, file)));
  return `${hash.digest('hex').slice(0, 32)}.tar`;
};

/**
 * The database that an earlier start has kept: with all tables and nothing in them. A new folder
 * begins as its copy, which takes a sixth of the time. Undefined if none is kept.
 */
export const readKept = (): Blob | undefined => {
  try {
    return new Blob([readFileSync(join(FOLDER, nameOf()))]);
  } catch {
    return undefined;
  }
};

/** Keeps a new database. Where this fails, the next start has no copy, and makes its own. */
export const keep = async (dump: Blob): Promise<void> => {
  const name = nameOf();
  const draft = join(FOLDER, `${process.pid}.draft`);
  try {
    mkdirSync(FOLDER, { recursive: true });
    // Removes databases of other versions, and drafts of starts that were killed.
    for (const other of readdirSync(FOLDER))
      if (other !== name) rmSync(join(FOLDER, other), { force: true });
    // On the disk before it has its name, so that a power failure leaves no half of it.
    await writeFile(draft, dump.stream(), { flush: true });
    // Not in the place of one that is there: it may be read right now.
    linkSync(draft, join(FOLDER, name));
  } catch {
    // Not allowed here, or the disk is full.
  } finally {
    rmSync(draft, { force: true });
  }
};
