import cluster from 'node:cluster';
import { resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { watchEventLoop } from '../../adapters/kit/web/pipeline/request-log.ts';
import { logToStdout } from '../../adapters/system/log.ts';
import { flushLog } from '../../adapters/system/log-lines.ts';
import { gatherMetrics } from '../composition/gathered-metrics.ts';
import { clock } from '../composition/ports.ts';
import type { Config } from '../settings/config.ts';
import { reason } from '../settings/opening.ts';
import { serveOnOwnPort } from './metrics-port.ts';
import { type OpenService, openService } from './open-service.ts';
import { isBesideOthers, keepProcesses, STOP_SIGNALS, tellReady } from './several-processes.ts';
import { readyLines, welcome } from './welcome.ts';

/**
 * Gives back the memory that only the start needed, a tenth of a process's. It takes 0.1 s, so no
 * request waits yet. `npm start` exposes `gc`.
 */
const freeMemoryOfStart = (): void =>
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });

/**
 * Keeps the memory of a process without requests small. Mails leave many buffers to the garbage
 * collector, and V8 would let them wait: young objects keep the space that they have after the
 * start, and old ones grow by a third before they are collected.
 */
const keepHeapSmall = (): void => {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=30'])
    setFlagsFromString(flag);
};

/** Ends after the current work is finished. Ctrl-C (SIGINT) does not drain. */
const leaveOnSignal = (opened: OpenService, drainMs: number, log: Logger): void => {
  let isLeaving = false;
  const leave = async (signal: string): Promise<void> => {
    if (isLeaving) return;
    isLeaving = true;
    log.info({ signal }, 'stopping');
    await opened.stop(signal === 'SIGINT' ? 0 : drainMs);
    log.info('stopped');
    await flushLog(log);
    // An embedded database may have left a timer behind. Everything else is closed.
    process.exit();
  };
  // A worker process gets the signal twice: as part of its group, and from its parent. In a single
  // process the second signal ends it at once.
  const listenTo = cluster.isWorker ? process.on : process.once;
  for (const signal of STOP_SIGNALS) listenTo.call(process, signal, leave);
};

/** The settings that name the database of a command, as a shell takes them. No password is shown. */
const settingsOf = ({ database, dataFolder }: Config): string => {
  if (database.kind !== 'embedded') return 'DATABASE_URL=… ';
  return dataFolder === undefined || dataFolder === '.data' ? '' : `DATA_DIR='${dataFolder}' `;
};

const showWelcome = async (
  config: Config,
  { service, publicUrl, firstRun }: OpenService,
): Promise<void> => {
  const { mail } = config;
  const settings = settingsOf(config);
  const mailFolder = mail.kind === 'files' && mail.folder ? resolve(mail.folder) : undefined;
  const today = service.get(clock).today();
  // Loads what a process that only sells does not need.
  const { makeConsoleLink } = await import('./console-link.ts');
  const consoleLink = await makeConsoleLink(service, publicUrl);
  process.stdout.write(welcome({ publicUrl, today, firstRun, consoleLink, mailFolder, settings }));
};

/** Prints where the service is and how to stop it, after the log lines of the start. */
const showReady = async ({ publicUrl }: OpenService, log: Logger): Promise<void> => {
  await flushLog(log);
  // The log of a terminal writes its lines in the next turn.
  await nextTurn();
  // The parent of several processes stops them all.
  const pid = cluster.isWorker ? process.ppid : process.pid;
  process.stdout.write(readyLines(publicUrl, pid));
};

/** Keeps SIGUSR1 from opening Node's inspector, through which a process shows its secrets. */
const keepInspectorClosed = (): void => void process.on('SIGUSR1', () => {});

const run = async (config: Config): Promise<void> => {
  if (config.environment === 'production') keepInspectorClosed();
  const log = await logToStdout(config.logLevel);
  if (config.processes > 1 && cluster.isPrimary) {
    if (config.hasMetrics) await serveOnOwnPort(config, gatherMetrics(config.processes), log);
    return keepProcesses(config, log);
  }
  const { environment, database, servesHttp, drainMs } = config;
  const opened = await openService(config, log);
  leaveOnSignal(opened, drainMs, log);
  freeMemoryOfStart();
  if (!servesHttp) keepHeapSmall();
  await opened.serve();
  // The start itself blocks the event loop of a slow machine: that is no warning.
  watchEventLoop(log);
  const { publicUrl, address } = opened;
  const isForPerson = environment === 'test' && servesHttp && !isBesideOthers();
  if (isForPerson) await showWelcome(config, opened);
  tellReady({ publicUrl });
  const about = { baseUrl: `${publicUrl}/api`, environment, database: database.kind };
  log.info(servesHttp ? { address, ...about } : about, 'ready');
  if (isForPerson) await showReady(opened, log);
};

/** Runs the service in this process, or in several. A failure ends the process with its reason. */
export const start = async (config: Config): Promise<void> => {
  try {
    await run(config);
  } catch (error) {
    process.stderr.write(`the service could not start: ${reason(error)}\n`);
    process.exit(1);
  }
};
