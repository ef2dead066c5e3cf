import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Makes all written files readable by this user only: data, mails, keys, results. */
const keepPrivate = (): void => void process.umask(0o077);

/**
 * The cache, in the project's own folder, which no other user shares. `npm start` names it as well.
 */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/**
 * Caches compiled code for this process, its threads and the processes that it starts. Without
 * write access there is no cache.
 */
export const keepCompiled = (): void => {
  process.env['NODE_COMPILE_CACHE'] ||= FOLDER;
  enableCompileCache(process.env['NODE_COMPILE_CACHE']);
};

/**
 * Lets a command end its work, with its own exit code, after the reader of its output has left
 * (`| head`). The service goes on without any of its output.
 */
const tolerateLostOutput = (isService: boolean): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!isService && error.code !== 'EPIPE') throw error;
    });
};

/** What the service and every command do before they load the modules of their work. */
export const prepareProcess = (isService = false): void => {
  keepPrivate();
  keepCompiled();
  tolerateLostOutput(isService);
};
