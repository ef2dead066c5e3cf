import cluster from 'node:cluster';
import { resolve } from 'node:path';
import type { Container } from 'inversify';
import { type DestinationStream, pino } from 'pino';
import { watchEventLoop } from '../adapters/http/server/event-loop-watch.ts';
import { type Listening, listen } from '../adapters/http/server/listen.ts';
import type { Database } from '../adapters/persistence/database.ts';
import { ConfigFaults, readConfig } from './config.ts';
import { prepare, refuseDemoIn } from './first-run.ts';
import { keepHouse } from './housekeeping.ts';
import { openWithin, reason } from './opening.ts';
import { isBesideOthers, keepProcesses, tellReady } from './processes.ts';
import { service } from './service.ts';
import { get } from './token.ts';
import * as t from './tokens.ts';
import { welcome } from './welcome.ts';
import { workersOf } from './workers.ts';

/** Bytes that reach a pipe in one piece: several processes may write to the same one. */
const WHOLE = 4096;

/** Milliseconds that a line waits for others at most: a write of its own costs more than making it. */
const LOG_AFTER = 100;

/** What an operator should look at waits for nothing (pino's number of `warn`). */
const URGENT = 40;

/** Bytes of log that may wait for a reader that is too slow; what comes then is not logged. */
const MOST_LOG = 16 * 1024 * 1024;

/**
 * JSON lines on stdout, those together that come while others are written: no request waits for its line. Readable ones
 * where a person looks.
 */
const logTo = async (level: string): Promise<pino.Logger> => {
  const destination: DestinationStream & { flush?(): void } = process.stdout.isTTY
    ? (await import('pino-pretty')).default({ sync: true, ignore: 'pid,hostname' })
    : pino.destination({
        sync: false,
        maxLength: MOST_LOG,
        maxWrite: WHOLE,
        minLength: WHOLE / 2,
        periodicFlush: LOG_AFTER,
      });
  return pino(
    {
      ...{
        level,
        base: { service: 'insurance-sales', pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
      },
      hooks: {
        logMethod(line, write, weight) {
          write.apply(this, line);
          if (weight >= URGENT) destination.flush?.();
        },
      },
    },
    destination,
  );
};

const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = await logTo(config.logLevel);
  if (config.processes > 1 && cluster.isPrimary) return keepProcesses(config, log);
  // Beside others the port is taken late: a connection that it is given must find somebody who serves.
  const takePort = (): Promise<Listening> =>
    listen({ ...config, secure: config.publicUrl?.startsWith('https:') ?? false, log });
  const port = config.servesHttp && !isBesideOthers() ? await takePort() : undefined;
  const publicUrl = config.publicUrl ?? port?.address ?? '';
  if (config.publicUrl === undefined && /^(0\.0\.0\.0|::)$/.test(config.host))
    log.warn('PUBLIC_URL is not set: tokens and metadata name an address that nobody can reach');
  const database = await openWithin(config, log);
  const container = service({ ...config, publicUrl }, database, log);
  const firstRun = await database.exclusively(async () => {
    await database.migrate();
    if (config.database.kind === 'postgres')
      for (const warning of await database.warnings()) log.warn(warning);
    await get(container, t.JOBS).prepare();
    await refuseDemoIn(container, config);
    // Credentials are shown once, by the process that serves them.
    return port === undefined ? {} : prepare(container, config);
  });
  const serving = config.servesHttp ? (port ?? (await takePort())) : undefined;
  leaveOnSignal(container, database, { serving, drainMs: config.drainMs }, log);
  watchEventLoop(log);
  serving?.serve(get(container, t.HTTP_APP).callback());
  const address = serving?.address ?? publicUrl;
  if (config.doesJobs) await get(container, t.JOBS).work(workersOf(container, address));
  const baseUrl = `${publicUrl}/api`;
  if (config.environment === 'test' && port !== undefined) {
    const mailFolder =
      config.mail.kind === 'files' && config.mail.folder ? resolve(config.mail.folder) : undefined;
    process.stdout.write(welcome(baseUrl, get(container, t.CLOCK).today(), firstRun, mailFolder));
  }
  tellReady({ publicUrl });
  const {
    environment,
    database: { kind },
  } = config;
  log.info({ address, baseUrl, environment, database: kind }, serving ? 'listening' : 'doing jobs');
};

interface Serving {
  /** Undefined where this process serves no HTTP. */
  readonly serving: Listening | undefined;
  readonly drainMs: number;
}

/** Lets what is being done finish, then ends. Only SIGTERM drains: a person at a terminal does not wait. */
const leaveOnSignal = (
  container: Container,
  database: Database,
  { serving, drainMs }: Serving,
  log: pino.Logger,
): void => {
  const stopHousekeeping = keepHouse(container);
  let isLeaving = false;
  const leave = async (signal: string): Promise<void> => {
    if (isLeaving) return;
    isLeaving = true;
    log.info({ signal }, 'stopping');
    stopHousekeeping();
    await serving?.stop(signal === 'SIGTERM' ? drainMs : 0);
    await get(container, t.JOBS).stop();
    await get(container, t.RELEASE)();
    await database.close();
    log.info('stopped');
    // As above all else is at rest; an embedded database may have left a timer behind that would keep the process.
    process.exit();
  };
  // A process of several gets the signal of its group, and again from the one that started it. Alone, a second one ends it.
  const listenTo = cluster.isWorker ? process.on : process.once;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) listenTo.call(process, signal, leave);
};

try {
  await start();
} catch (error) {
  const known = error instanceof ConfigFaults ? '' : 'the service could not start: ';
  process.stderr.write(`${known}${reason(error)}\n`);
  process.exit(1);
}
