import cluster from 'node:cluster';
import { ContainerModule } from 'inversify';
import { QUEUES } from '../../adapters/jobs/queues.ts';
import {
  askSeldom,
  databaseFigures,
  poolFigures,
  standbyFigures,
} from '../../adapters/metrics/database-figures.ts';
import {
  countProcesses,
  exposeFigures,
  logFigures,
  processFigures,
} from '../../adapters/metrics/exposition.ts';
import { ServiceMetrics } from '../../adapters/metrics/service-metrics.ts';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import { readBacklog } from '../../adapters/persistence/operations/backlog.ts';
import { readLogHealth } from '../../adapters/system/log-lines.ts';
import { type ReadFigures, shareMetrics } from './gathered-metrics.ts';
import * as own from './infrastructure.ts';
import { callObservers } from './observed.ts';
import { builder } from './part.ts';

/** What is measured. @param metrics those of the process, for another group; absent: the first */
export const measuringModule = (metrics = new ServiceMetrics()): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(own.metrics).toConstantValue(metrics);
    bind(own.observeRequest).toConstantValue(metrics.observeRequest);
    bind(callObservers).toConstantValue(metrics.observeCall);
  });

/** How it is read. On a port of its own it needs no login. */
export const readingModule = (metricsPort: number | undefined): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    build(
      own.readAllMetrics,
      { metrics: own.metrics, database: own.database },
      ({ metrics, database }) => makeReadMetrics(makeReadFigures(metrics, database)),
    );
    if (metricsPort === undefined)
      build(own.readMetrics, { read: own.readAllMetrics }, ({ read }) => read);
  });

const QUEUE_NAMES = QUEUES.map(({ name }) => name);

const makeReadFigures = (metrics: ServiceMetrics, database: Database): ReadFigures => {
  const askDatabase = askSeldom({
    check: database.check,
    readBacklog: () => readBacklog(database.query, QUEUE_NAMES),
  });

  return async function readFigures(asksDatabase) {
    const [ofProcess, ofDatabase] = await Promise.all([
      processFigures(),
      asksDatabase ? askDatabase().then(databaseFigures) : [],
    ]);
    const { dropped, failure } = readLogHealth();
    return [
      ...metrics.figures(),
      ...logFigures(dropped, failure),
      ...poolFigures(database.poolUse?.()),
      standbyFigures(database.readLag()),
      ...ofDatabase,
      ...ofProcess,
    ];
  };
};

/**
 * Makes the function that reads the metrics of the service, in Prometheus's text format: of this
 * process, or of all that `WEB_CONCURRENCY` started.
 */
const makeReadMetrics = (readFigures: ReadFigures): (() => Promise<string>) =>
  cluster.isWorker
    ? shareMetrics(readFigures)
    : async function readMetrics() {
        return exposeFigures([await readFigures(true), countProcesses(1, 1)]);
      };
