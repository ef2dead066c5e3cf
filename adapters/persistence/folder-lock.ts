import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps a second process out of a folder for as long as this one lives: an embedded database that two
 * processes write is lost. The lock is SQLite's on a file beside the folder, because the system takes it
 * back even from a process that is killed, and it holds between containers that share a volume.
 *
 * @throws Error when another process has the folder.
 */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  // Also where it was there before, open to others: it holds personal data.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lock = new DatabaseSync(`${folder}.lock`);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch {
    lock.close();
    throw new Error(
      `${folder} is in use by another process, and serves one at a time: stop that first`,
    );
  }
  return () => lock.close();
};
