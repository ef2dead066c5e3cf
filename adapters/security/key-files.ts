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

/**
 * Reads a key from a file in the folder.
 *
 * @throws Error that says what to do: a file that cannot be read may hold a good key
 */
export const readKept = <Key>(
  file: string,
  read: (path: string) => Key,
  { holds, without }: { readonly holds: string; readonly without: string },
): Key => {
  try {
    return read(file);
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    if (syscall !== undefined)
      throw new Error(
        `${file} cannot be read (${code}). Let this user read it, and do not delete it: it may hold a good key`,
      );
    throw new Error(
      `${file} does not hold ${holds}. Restore it, or delete the file: the service then creates a new key, ${without}`,
    );
  }
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
