import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes a key the first time, and keeps it in a file that only its owner may read. Processes that
 * start at the same time keep one and the same.
 *
 * @returns the path of the file
 */
export const keepInFolder = (folder: string, name: string, make: () => string): string => {
  const file = join(folder, name);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeOnce(file, make());
  }
  return file;
};

/** Writes a whole file, unless another process wrote it first. */
const writeOnce = (file: string, text: string): void => {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
};
