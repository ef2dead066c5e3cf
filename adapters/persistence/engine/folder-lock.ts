import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FolderInUse } from './faults.ts';

const SQLITE_BUSY = 5;

/**
 * Locks a folder for this process, because an embedded database is destroyed when two processes
 * write it. The lock is SQLite's, on a file beside the folder: the operating system releases it
 * when the process is killed, and it holds between containers that share a volume.
 *
 * @throws FolderInUse
 */
export const lockFolder = (folder: string): (() => void) => {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  // The folder holds personal data, and may have existed with other permissions.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const lock = new DatabaseSync(`${folder}.lock`);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { readonly errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new FolderInUse(
      `${folder} is in use by another process, and serves one at a time: stop that first`,
    );
  }
  return () => lock.close();
};
