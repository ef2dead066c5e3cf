import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { keptSigningKey } from '../adapters/security/signing-key.ts';
import type { Config } from './config.ts';

/** What a process tells the one that started it, once it takes requests. */
interface Ready {
  readonly publicUrl: string;
}

const LATER = 'STARTED_BESIDE_OTHERS';

/** Whether another process has prepared the database and told the operator already. */
export const isBesideOthers = (): boolean => cluster.isWorker && process.env[LATER] !== undefined;

export const tellReady = (ready: Ready): void => {
  process.send?.(ready);
};

/** Milliseconds until another process is started in the place of one that did not live for so long. */
const [PAUSE, LONG_ENOUGH] = [2_000, 10_000];

/** Milliseconds that processes have to finish; what has not ended then is killed. */
const GRACE = 30_000;

/**
 * Keeps so many processes that share one port. The first prepares the database; the others follow when it takes requests,
 * and take the port themselves only when they can serve. One that ends is replaced: what it was doing, the others find in
 * the database. Where the first cannot start, none does.
 */
export const keepProcesses = ({ processes, signingKey, dataFolder }: Config, log: Logger): void => {
  // Kept nowhere, each would make its own, and refuse the others' tokens.
  const pem = () => keptSigningKey(undefined).export({ type: 'pkcs8', format: 'pem' }).toString();
  const common = signingKey === undefined && dataFolder === undefined ? { SIGNING_KEY: pem() } : {};
  let known: Ready | undefined;
  let isStopping = false;

  const startAnother = (): void => {
    if (isStopping) return;
    const startedAt = performance.now();
    const ended = (why: object): void => {
      if (isStopping) return;
      log.error(why, 'a process ended, and is replaced');
      setTimeout(startAnother, performance.now() - startedAt > LONG_ENOUGH ? 0 : PAUSE);
    };
    try {
      const worker = cluster.fork({ ...common, ...(known && { PUBLIC_URL: known.publicUrl, [LATER]: '1' }) });
      // Where the system has no room for a process, or it is gone while it is spoken to: nobody else is to end for that.
      worker.on('error', ({ name }) => worker.process.pid === undefined && ended({ name }));
      worker.on('exit', (code, signal) => known && ended({ process: worker.process.pid, code, signal }));
    } catch (error) {
      ended({ name: (error as Error).name });
    }
  };
  cluster.on('message', (_, message: Ready) => {
    if (known !== undefined) return;
    known = message;
    for (let count = 1; count < processes; count += 1) startAnother();
  });
  cluster.on('exit', (_, code) => {
    const areGone = Object.keys(cluster.workers ?? {}).length === 0;
    if (isStopping && areGone) process.exit();
    if (known === undefined) process.exit(code || 1);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop());
  startAnother();

  const stop = (): void => {
    isStopping = true;
    const end = (how: NodeJS.Signals): void => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(how);
    };
    end('SIGTERM');
    setTimeout(() => end('SIGKILL'), GRACE).unref();
  };
};
