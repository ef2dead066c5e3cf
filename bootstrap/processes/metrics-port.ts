import type { Logger } from 'pino';
import { ownHostCheck } from '../../adapters/kit/web/pipeline/request-origin.ts';
import { serveMetrics } from '../../adapters/metrics/metrics-server.ts';
import type { Config } from '../settings/config.ts';

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
