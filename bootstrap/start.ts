import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { type DestinationStream, pino } from 'pino';
import { watchEventLoop } from '../adapters/http/server/event-loop-watch.ts';
import { type Listening, listen } from '../adapters/http/server/listen.ts';
import type { Database } from '../adapters/persistence/database.ts';
import { currentRequestId } from '../adapters/system/request-context.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import { describeFault } from '../application/describe-fault.ts';
import { type Config, ConfigFaults, readConfig } from './config.ts';
import { prepare, refuseDemoIn } from './first-run.ts';
import { gatherMetrics } from './gathered-metrics.ts';
import { startHousekeeping } from './housekeeping.ts';
import { serveOnOwnPort } from './metrics.ts';
import { openWithin, reason } from './opening.ts';
import type { Service } from './parts.ts';
import { isBesideOthers, keepProcesses, tellReady } from './processes.ts';
import { showProgress } from './progress.ts';
import { composeService, releaseAdapters } from './service.ts';
import { storeNotes } from './store-notes.ts';
import { welcome } from './welcome.ts';
import { makeWorkers } from './workers.ts';

/** Max bytes that a pipe takes as one piece; several processes write to the same pipe. */
const PIPE_BYTES = 4096;

/** Max time until a log line is written, ms. Lines are written together, which costs less. */
const LOG_DELAY_MS = 100;

/** pino's number of `warn`: such lines are written at once. */
const WARN_LEVEL = 40;

/** Max bytes of log that wait for a slow reader; further lines are dropped. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;

let logTime = { millisecond: Number.NaN, field: '' };

/** The time of a log line, as `pino.stdTimeFunctions.isoTime` writes it, made once a millisecond. */
const timeOfLine = (): string => {
  const millisecond = Date.now();
  if (millisecond !== logTime.millisecond)
    logTime = { millisecond, field: `,"time":"${new Date(millisecond).toISOString()}"` };
  return logTime.field;
};

/** The id of the request or job whose work writes the line, unless the line names it itself. */
const requestIdOf = (line: object): object =>
  'requestId' in line ? line : { requestId: currentRequestId() };

/** Logs JSON lines to stdout in the background; readable lines to a terminal. */
const logTo = async (level: string): Promise<pino.Logger> => {
  const destination: DestinationStream & { flush?(): void } = process.stdout.isTTY
    ? (await import('pino-pretty')).default({ sync: true, ignore: 'pid,hostname' })
    : pino.destination({
        sync: false,
        maxLength: MAX_LOG_BYTES,
        maxWrite: PIPE_BYTES,
        minLength: PIPE_BYTES / 2,
        periodicFlush: LOG_DELAY_MS,
      });
  return pino(
    {
      ...{
        level,
        base: { service: 'insurance-sales', pid: process.pid },
        timestamp: timeOfLine,
      },
      mixin: requestIdOf,
      hooks: {
        logMethod(line, write, weight) {
          write.apply(this, line);
          if (weight >= WARN_LEVEL) destination.flush?.();
        },
      },
    },
    destination,
  );
};

/** The first start of the embedded database takes seconds, in which nothing else would be shown. */
const openDatabase = (config: Config, log: pino.Logger): Promise<Database> => {
  const open = (): Promise<Database> => openWithin(config, log);
  if (config.database.kind === 'postgres') return open();
  return showProgress('Starting the embedded database (some seconds)', open, {
    log,
    screen: process.stdout,
  });
};

/** Loads the library for traces, which takes time and memory, only where they are wanted. */
const traceTo = async (log: pino.Logger): Promise<Tracing> => {
  const { startTracing } = await import('../adapters/tracing/tracing.ts');
  return startTracing((error) =>
    log.warn({ fault: describeFault(error) }, 'traces were not sent to the collector'),
  );
};

/**
 * Gives back the memory that only the start needed, a tenth of a process's. It takes 0.1 s, so no
 * request waits yet. `npm start` exposes `gc`.
 */
const freeMemoryOfStart = (): void =>
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });

const start = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = await logTo(config.logLevel);
  if (config.processes > 1 && cluster.isPrimary) {
    if (config.hasMetrics) await serveOnOwnPort(config, gatherMetrics(config.processes), log);
    return keepProcesses(config, log);
  }
  // With several processes, take the port late: a connection must reach a process that serves.
  const takePort = (): Promise<Listening> =>
    listen({ ...config, secure: config.publicUrl?.startsWith('https:') ?? false, log });
  const port = config.servesHttp && !isBesideOthers() ? await takePort() : undefined;
  const publicUrl = config.publicUrl ?? port?.address ?? '';
  if (config.publicUrl === undefined && /^(0\.0\.0\.0|::)$/.test(config.host))
    log.warn('PUBLIC_URL is not set: tokens and metadata name an address that nobody can reach');
  const database = await openDatabase(config, log);
  const tracing = config.isTraced ? await traceTo(log) : undefined;
  const service = composeService({ ...config, publicUrl }, database, log, tracing);
  const { readAllMetrics } = service;
  if (readAllMetrics !== undefined && !cluster.isWorker)
    await serveOnOwnPort(config, readAllMetrics, log);
  const firstRun = await database.exclusively(async () => {
    await database.migrate();
    if (config.database.kind === 'postgres')
      for (const warning of await database.warnings()) log.warn(warning);
    await service.jobs.prepare();
    await refuseDemoIn(service, config);
    // The process that serves HTTP prints the credentials.
    return port === undefined ? {} : prepare(service, config);
  });
  const serving = config.servesHttp ? (port ?? (await takePort())) : undefined;
  leaveOnSignal(service, database, { serving, drainMs: config.drainMs, tracing }, log);
  watchEventLoop(log);
  freeMemoryOfStart();
  serving?.serve(service.httpApp.answer, service.httpApp.answerPlain);
  const address = serving?.address ?? publicUrl;
  if (config.doesJobs) await service.jobs.work(makeWorkers(service, address));
  const baseUrl = `${publicUrl}/api`;
  if (config.environment === 'test' && port !== undefined) {
    const mailFolder =
      config.mail.kind === 'files' && config.mail.folder ? resolve(config.mail.folder) : undefined;
    const today = service.clock.today();
    process.stdout.write(welcome({ publicUrl, today, firstRun, mailFolder }));
  }
  tellReady({ publicUrl });
  const {
    environment,
    database: { kind },
  } = config;
  log.info({ address, baseUrl, environment, database: kind }, serving ? 'listening' : 'doing jobs');
};

interface Serving {
  /** Undefined if this process serves no HTTP. */
  readonly serving: Listening | undefined;
  readonly drainMs: number;
  readonly tracing: Tracing | undefined;
}

/** Ends after the current work is finished. Only SIGTERM drains; Ctrl-C does not wait. */
const leaveOnSignal = (
  service: Service,
  database: Database,
  { serving, drainMs, tracing }: Serving,
  log: pino.Logger,
): void => {
  const stopHousekeeping = startHousekeeping(service);
  const storeLastNotes = storeNotes(service);
  let isLeaving = false;
  const leave = async (signal: string): Promise<void> => {
    if (isLeaving) return;
    isLeaving = true;
    log.info({ signal }, 'stopping');
    stopHousekeeping();
    await serving?.stop(signal === 'SIGTERM' ? drainMs : 0);
    await service.jobs.stop();
    // Jobs that were running may have raised some.
    await storeLastNotes();
    await releaseAdapters(service);
    await tracing?.stop();
    await database.close();
    log.info('stopped');
    // An embedded database may have left a timer behind. Everything else is closed.
    process.exit();
  };
  // A worker process gets the signal twice: as part of its group, and from its parent. In a single
  // process the second signal ends it at once.
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
