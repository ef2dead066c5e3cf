import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Makes all written files readable by this user only: data, mails, keys. */
export const keepPrivate = (): void => void process.umask(0o077);

/**
 * Caches compiled code in the project's own folder, which no other user shares. Without write
 * access there is no cache.
 */
export const keepCompiled = (): void => {
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
};
