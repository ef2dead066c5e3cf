import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** What the service and its commands write, other users of the machine cannot read: data, mails, keys. */
export const keepPrivate = (): void => void process.umask(0o077);

/** In the project's own tree, not in a folder shared with others; where it cannot be written, there is no cache. */
export const keepCompiled = (): void => {
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
};
