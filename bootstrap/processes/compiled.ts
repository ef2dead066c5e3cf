import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Makes all written files readable by this user only: data, mails, keys. */
export const keepPrivate = (): void => void process.umask(0o077);

/** In the project's own folder, which no other user shares. `npm start` names it as well. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/**
 * Caches compiled code for this process, its threads and the processes that it starts. Without
 * write access there is no cache.
 */
export const keepCompiled = (): void => {
  process.env['NODE_COMPILE_CACHE'] ||= FOLDER;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
};
