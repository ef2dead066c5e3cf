import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { loadOrCreateSigningKey } from '../adapters/security/signing-key.ts';
import type { Config } from './config.ts';

/** What a process tells the one that started it, once it takes requests, and from then on to show that it lives. */
interface Ready {
  readonly publicUrl: string;
}

/** Time between two such messages, and the time without one after which a process is killed and replaced, ms. */
const HEARTBEAT_MS = 1_000;
const SILENCE_MS = 10_000;

const LATER = 'STARTED_BESIDE_OTHERS';

/** Whether another process has prepared the database and told the operator already. */
export const isBesideOthers = (): boolean => cluster.isWorker && process.env[LATER] !== undefined;

export const tellReady = (ready: Ready): void => {
  process.send?.(ready);
  if (process.send !== undefined)
    setInterval(() => process.connected && process.send?.(ready), HEARTBEAT_MS).unref();
};

/** Milliseconds until another process is started in the place of one that did not live for so long. */
const [PAUSE, LONG_ENOUGH] = [2_000, 10_000];

/** Time that processes have to finish once they have drained, ms; then they are killed. */
const FINISH_MS = 30_000;

/**
 * Keeps so many processes that share one port. The first prepares the database; the others follow when it takes requests,
 * and take the port themselves only when they can serve. One that ends is replaced: what it was doing, the others find in
 * the database. Where the first cannot start, none does.
 */
export const keepProcesses = (
  { processes, signingKey, dataFolder, drainMs }: Config,
  log: Logger,
): void => {
  // Kept nowhere, each would make its own, and refuse the others' tokens.
  const pem = () =>
    loadOrCreateSigningKey(undefined).export({ type: 'pkcs8', format: 'pem' }).toString();
  const common = signingKey === undefined && dataFolder === undefined ? { SIGNING_KEY: pem() } : {};
  let known: Ready | undefined;
  let isStopping = false;
  const heard = new Map<Worker, number>();

  const startAnother = (): void => {
    if (isStopping) return;
    const startedAt = performance.now();
    const ended = (why: object): void => {
      if (isStopping) return;
      log.error(why, 'a process ended, and is replaced');
      setTimeout(startAnother, performance.now() - startedAt > LONG_ENOUGH ? 0 : PAUSE);
    };
    try {
      const worker = cluster.fork({
        ...common,
        ...(known && { PUBLIC_URL: known.publicUrl, [LATER]: '1' }),
      });
      // Where the system has no room for a process, or it is gone while it is spoken to: nobody else is to end for that.
      worker.on('error', ({ name }) => worker.process.pid === undefined && ended({ name }));
      worker.on(
        'exit',
        (code, signal) => known && ended({ process: worker.process.pid, code, signal }),
      );
    } catch (error) {
      ended({ name: (error as Error).name });
    }
  };
  cluster.on('message', (worker, message: Ready) => {
    // What a process said may be read after its end.
    if (!worker.isDead()) heard.set(worker, performance.now());
    if (known !== undefined) return;
    known = message;
    for (let count = 1; count < processes; count += 1) startAnother();
  });
  cluster.on('exit', (worker, code) => {
    heard.delete(worker);
    const areGone = Object.keys(cluster.workers ?? {}).length === 0;
    if (isStopping && areGone) process.exit();
    if (known === undefined) process.exit(code || 1);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(signal));
  startAnother();
  replaceSilent(heard, log);

  const stop = (signal: NodeJS.Signals): void => {
    isStopping = true;
    const end = (how: NodeJS.Signals): void => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(how);
    };
    end(signal);
    setTimeout(() => end('SIGKILL'), drainMs + FINISH_MS).unref();
  };
};

/** Kills processes that say nothing for too long: one whose event loop is blocked answers no request, and holds connections. */
const replaceSilent = (heard: Map<Worker, number>, log: Logger): void => {
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    // This process itself may have stood still, and has not read what the others said.
    const isLate = now - lookedAt > 2 * HEARTBEAT_MS;
    lookedAt = now;
    if (isLate) return;
    for (const [worker, at] of heard) {
      if (now - at <= SILENCE_MS) continue;
      log.error(
        { process: worker.process.pid, silentMs: Math.round(now - at) },
        'a process hangs, and is killed',
      );
      worker.process.kill('SIGKILL');
      heard.delete(worker);
    }
  }, HEARTBEAT_MS).unref();
};
