import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { keptSigningKey } from '../adapters/security/signing-key.ts';
import type { Config } from './config.ts';

/** What a process tells the one that started it, once it takes requests. */
interface Ready {
  readonly publicUrl: string;
}

const LATER = 'STARTED_BESIDE_OTHERS';

/** Whether another process has prepared the database and told the operator already. */
export const isBesideOthers = (): boolean => process.env[LATER] !== undefined;

export const tellReady = (ready: Ready): void => {
  process.send?.(ready);
};

/** Milliseconds until a process that could not even start is started again. */
const PAUSE = 2_000;

/**
 * Keeps so many processes that share one port. The first prepares the database; the others follow when it takes requests,
 * and take the port themselves only when they can serve. One that ends is replaced: what it was doing, the others find in
 * the database. Where the first cannot start, none does.
 */
export const keepProcesses = ({ processes, signingKey, dataFolder }: Config, log: Logger): void => {
  // Kept nowhere, each would make its own, and refuse the others' tokens.
  const pem = () => keptSigningKey(undefined).export({ type: 'pkcs8', format: 'pem' }).toString();
  const common = signingKey === undefined && dataFolder === undefined ? { SIGNING_KEY: pem() } : {};
  const ready = new WeakMap<Worker, Ready>();
  let known: Ready | undefined;
  let isStopping = false;

  const startAnother = (): void => {
    if (!isStopping) cluster.fork({ ...common, ...(known && { PUBLIC_URL: known.publicUrl, [LATER]: '1' }) });
  };
  cluster.on('message', (worker, message: Ready) => {
    ready.set(worker, message);
    if (known !== undefined) return;
    known = message;
    for (let count = 1; count < processes; count += 1) startAnother();
  });
  cluster.on('exit', (worker, code, signal) => {
    if (known === undefined) process.exit(code || 1);
    if (isStopping) return void (Object.keys(cluster.workers ?? {}).length === 0 && process.exit());
    log.error({ process: worker.process.pid, code, signal }, 'a process ended, and another one takes its place');
    setTimeout(startAnother, ready.has(worker) ? 0 : PAUSE);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      isStopping = true;
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
    });
  }
  startAnother();
};
