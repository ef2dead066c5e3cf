import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { ownHostCheck } from '../adapters/http/pipeline/request-origin.ts';
import { CANCELLATION_MAIL, MAIL, QUEUES, REFUND_MAIL } from '../adapters/jobs/queues.ts';
import {
  askSeldom,
  databaseFigures,
  poolFigures,
  standbyFigures,
} from '../adapters/metrics/database-figures.ts';
import { countProcesses, exposeFigures, processFigures } from '../adapters/metrics/exposition.ts';
import { serveMetrics } from '../adapters/metrics/metrics-server.ts';
import type { ServiceMetrics } from '../adapters/metrics/service-metrics.ts';
import { readBacklog } from '../adapters/persistence/backlog.ts';
import type { Database } from '../adapters/persistence/database.ts';
import type { Config } from './config.ts';
import { type ReadFigures, shareMetrics } from './gathered-metrics.ts';

const MAIL_QUEUES = {
  names: QUEUES.map(({ name }) => name),
  certificates: MAIL,
  cancellations: CANCELLATION_MAIL,
  refunds: REFUND_MAIL,
};

export const makeReadFigures = (metrics: ServiceMetrics, database: Database): ReadFigures => {
  const askDatabase = askSeldom({
    check: database.check,
    readBacklog: () => readBacklog(database.query, MAIL_QUEUES),
  });

  return async function readFigures(asksDatabase) {
    const [ofProcess, ofDatabase] = await Promise.all([
      processFigures(),
      asksDatabase ? askDatabase().then(databaseFigures) : [],
    ]);
    return [
      ...metrics.figures(),
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
export const makeReadMetrics = (readFigures: ReadFigures): (() => Promise<string>) =>
  cluster.isWorker
    ? shareMetrics(readFigures)
    : async function readMetrics() {
        return exposeFigures([await readFigures(true), countProcesses(1, 1)]);
      };

type MetricsConfig = Pick<Config, 'host' | 'metricsPort' | 'publicUrl'>;

/** Serves the metrics on `METRICS_PORT`, if it is set. @throws Error if the port cannot be had */
export const serveOnOwnPort = async (
  { host, metricsPort: port, publicUrl = 'http://localhost' }: MetricsConfig,
  read: () => Promise<string>,
  log: Logger,
): Promise<void> => {
  if (port === undefined) return;
  const isOwnHost = ownHostCheck(publicUrl);
  const address = await serveMetrics({ host, port, isOwnHost }, read).catch((error: unknown) => {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`METRICS_PORT cannot be had (${code}): set another one`);
  });
  log.info({ metrics: `${address}/metrics` }, 'serving metrics');
};
