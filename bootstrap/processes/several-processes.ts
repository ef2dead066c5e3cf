import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import {
  loadOrCreateSecretsKey,
  loadOrCreateSigningKey,
} from '../../adapters/security/service-keys.ts';
import type { Config } from '../settings/config.ts';

/** Message from a process: first that it takes requests, then heartbeats. */
interface Ready {
  readonly publicUrl: string;
}

/** Signals that end the service. SIGHUP: its terminal was closed. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;

/** Interval of heartbeats, ms. A process that is silent too long is killed and replaced. */
const HEARTBEAT_MS = 1_000;
const SILENCE_MS = 10_000;

const LATER = 'STARTED_BESIDE_OTHERS';

/** Whether another process has prepared the database and printed the first-run credentials. */
export const isBesideOthers = (): boolean => cluster.isWorker && process.env[LATER] !== undefined;

export const tellReady = (ready: Ready): void => {
  process.send?.(ready);
  if (process.send !== undefined)
    setInterval(() => process.connected && process.send?.(ready), HEARTBEAT_MS).unref();
};

/** Pause before a process is replaced that ran for less than `LONG_ENOUGH_MS`, ms. */
const [PAUSE_MS, LONG_ENOUGH_MS] = [2_000, 10_000];

/** Time to finish after draining, ms; then a process is killed. */
const FINISH_MS = 30_000;

/**
 * Runs several processes that share one port. The first prepares the database; the others start
 * when it takes requests. A process that ends is replaced; the others find its work in the
 * database. If the first cannot start, none does.
 */
export const keepProcesses = (
  { processes, signingKey, secretsKey, dataFolder, drainMs }: Config,
  log: Logger,
): void => {
  // Without common keys each process would make its own and refuse what the others made.
  const pem = () =>
    loadOrCreateSigningKey(undefined).export({ type: 'pkcs8', format: 'pem' }).toString();
  const bytes = () => loadOrCreateSecretsKey(undefined).export().toString('base64');
  const keepsNothing = dataFolder === undefined;
  const common = {
    ...(keepsNothing && signingKey === undefined && { SIGNING_KEY: pem() }),
    ...(keepsNothing && secretsKey === undefined && { SECRETS_KEY: bytes() }),
  };
  let known: Ready | undefined;
  let isStopping = false;
  const heard = new Map<Worker, number>();

  const startAnother = (): void => {
    if (isStopping) return;
    const startedAt = performance.now();
    const ended = (why: object): void => {
      if (isStopping) return;
      log.error(why, 'a process ended, and is replaced');
      setTimeout(startAnother, performance.now() - startedAt > LONG_ENOUGH_MS ? 0 : PAUSE_MS);
    };
    try {
      const worker = cluster.fork({
        ...common,
        ...(known && { PUBLIC_URL: known.publicUrl, [LATER]: '1' }),
      });
      // The system has no memory for a process, or it ended while being written to: the others go
      // on.
      worker.on('error', ({ name }) => worker.process.pid === undefined && ended({ name }));
      worker.on(
        'exit',
        (code, signal) => known && ended({ process: worker.process.pid, code, signal }),
      );
    } catch (error) {
      ended({ name: (error as Error).name });
    }
  };
  cluster.on('message', (worker, message: Ready | object) => {
    if (!('publicUrl' in message)) return;
    // Ignore messages that are read after the process has ended.
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
  for (const signal of STOP_SIGNALS) process.once(signal, () => stop(signal));
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

/**
 * Kills processes that send no heartbeat: a blocked event loop answers no request but holds
 * connections.
 */
const replaceSilent = (heard: Map<Worker, number>, log: Logger): void => {
  let lookedAt = performance.now();
  setInterval(() => {
    const now = performance.now();
    // This process was itself suspended, and has not read the heartbeats yet.
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
