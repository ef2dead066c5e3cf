import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { type Listening, listen } from '../../adapters/kit/web/server/listen.ts';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import type { Tracing } from '../../adapters/tracing/tracing.ts';
import { describeFault } from '../../application/describe-fault.ts';
import type { Composed, Fakes } from '../composition/compose.ts';
import * as own from '../composition/infrastructure.ts';
import { OpenGroups } from '../composition/open-groups.ts';
import { composeService } from '../composition/service.ts';
import type { Config } from '../settings/config.ts';
import { openWithin } from '../settings/opening.ts';
import { FIRST_RUN, type FirstRun, prepare, refuseDemoIn } from './first-run.ts';
import { followGroups } from './follow-groups.ts';
import { HOUSEKEEPING, startHousekeeping } from './housekeeping.ts';
import { GATEWAYS, refuseLostGateways } from './lost-gateways.ts';
import { serveOnOwnPort } from './metrics-port.ts';
import { showProgress } from './progress.ts';
import { serveCommands } from './serve-commands.ts';
import { isBesideOthers } from './several-processes.ts';
import { NOTES, storeNotes } from './store-notes.ts';

/** A service whose database is open and migrated. It takes requests and does jobs after `serve`. */
export interface OpenService {
  /** The parts of the service. */
  readonly service: Composed;
  readonly publicUrl: string;
  /** The address on which this process listens; the public URL where it serves no HTTP. */
  readonly address: string;
  readonly firstRun: FirstRun;
  serve(): Promise<void>;
  /**
   * Lets the current work finish, and closes everything.
   *
   * @param drainMs time in which requests are still served while readiness says 503
   */
  stop(drainMs?: number): Promise<void>;
}

/** The first start of the embedded database takes seconds, in which nothing else would be shown. */
const openDatabase = (config: Config, log: Logger): Promise<Database> => {
  const open = (): Promise<Database> => openWithin(config, log);
  if (config.database.kind === 'postgres') return open();
  return showProgress('Starting the embedded database (some seconds)', open, {
    log,
    screen: process.stdout,
  });
};

/** Loads the library for traces, which takes time and memory, only where they are wanted. */
const traceTo = async (log: Logger): Promise<Tracing> => {
  const { startTracing } = await import('../../adapters/tracing/tracing.ts');
  return startTracing((error) =>
    log.warn({ fault: describeFault(error) }, 'traces were not sent to the collector'),
  );
};

/** Whether operators' commands go through this process: it alone has the embedded database. */
const takesCommands = ({ database, dataFolder }: Config): boolean =>
  database.kind === 'embedded' && dataFolder !== undefined;

/** The use-cases that only commands have. */
const commandModules = async (config: Config) =>
  takesCommands(config)
    ? (await import('../composition/group-databases.ts')).operatorModules(config)
    : [];

/**
 * Takes the port, opens and migrates the database, and creates what a first start creates.
 *
 * @param fakes what a test puts in the place of adapters, by the names of their ports
 * @throws Error, Unavailable: `reason` says why for the person who starts the service
 */
export const openService = async (
  config: Config,
  log: Logger,
  fakes: Fakes = {},
): Promise<OpenService> => {
  // With several processes, take the port late: a connection must reach a process that serves.
  const takePort = (): Promise<Listening> =>
    listen({ ...config, secure: config.publicUrl?.startsWith('https:') ?? false, log });
  const port = config.servesHttp && !isBesideOthers() ? await takePort() : undefined;
  const publicUrl = config.publicUrl ?? port?.address ?? '';
  if (config.publicUrl === undefined && /^(0\.0\.0\.0|::)$/.test(config.host))
    log.warn('PUBLIC_URL is not set: tokens and metadata name an address that nobody can reach');
  const database = await openDatabase(config, log);
  const tracing = config.isTraced ? await traceTo(log) : undefined;
  const [groups, more] = [new OpenGroups(), await commandModules(config)];
  const service = await composeService({
    ...{ config: { ...config, publicUrl }, database, log, tracing, groups, fakes },
    more,
  });
  if (config.hasMetrics) {
    // In one process of several, this is what answers the question of the parent.
    const readAllMetrics = service.get(own.readAllMetrics);
    if (!cluster.isWorker) await serveOnOwnPort(config, readAllMetrics, log);
  }
  const firstRun = await database.exclusively(async () => {
    await database.migrate();
    if (config.database.kind === 'postgres')
      for (const warning of await database.warnings()) log.warn(warning);
    await service.get(own.jobs).prepare();
    await refuseDemoIn(service.pick(FIRST_RUN), config);
    await refuseLostGateways(database, service.pick(GATEWAYS));
    // The process that serves HTTP prints the credentials.
    return port === undefined ? {} : prepare(service.pick(FIRST_RUN), config);
  });
  database.changes?.begin();
  const serving = config.servesHttp ? (port ?? (await takePort())) : undefined;
  const address = serving?.address ?? publicUrl;
  const following = { config: { ...config, publicUrl }, log, tracing, service, groups, more };
  const stopGroups = await followGroups({ ...following, listensAt: address });
  const stopHousekeeping = startHousekeeping(service.pick(HOUSEKEEPING));
  const storeLastNotes = storeNotes(service.pick(NOTES));
  const stopCommands = takesCommands(config)
    ? await serveCommands(service, config.dataFolder ?? '', log)
    : undefined;
  return {
    service,
    publicUrl,
    address,
    firstRun,
    async serve() {
      if (serving !== undefined) {
        serving.serve(service.get(own.httpApp).answer);
      }
      if (config.doesJobs)
        await service.get(own.jobs).work(service.get(own.workers)(address), config.servesHttp);
    },
    async stop(drainMs = 0) {
      stopHousekeeping();
      await serving?.stop(drainMs);
      await stopCommands?.();
      await stopGroups();
      await service.get(own.jobs).stop();
      // Jobs that were running may have raised some.
      await storeLastNotes();
      await service.close();
      await tracing?.stop();
      await database.close();
    },
  };
};
