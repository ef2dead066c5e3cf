import { createRequire } from 'node:module';
import { makeOnce } from '../../application/make-once.ts';
import { type Figures, gauge } from './series.ts';

/** The content type of Prometheus's text format. */
export const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

const require = createRequire(import.meta.url);

/**
 * Loaded with the first scrape: a service that is not scraped needs no memory for it. `import` would
 * keep a failure, such as a lack of file descriptors, until the end.
 */
const library = () => require('prom-client') as typeof import('prom-client');

/** How the figures of several processes become one, where the library's choice hides the worst. */
const aggregatorOf = ({ name, aggregator }: Figures): string => {
  if (name === 'process_start_time_seconds') return 'min';
  return /^nodejs_eventloop_lag_(?!min)/.test(name) ? 'max' : aggregator;
};

const PROCESSES = {
  name: 'insurance_sales_processes',
  help: 'Processes of the service that answered this scrape.',
  labels: [],
};
const WANTED = {
  name: 'insurance_sales_processes_wanted',
  help: 'Processes of the service that were started together, and should answer.',
  labels: [],
};

/** @param answered the processes that answered this scrape @param wanted those that should */
export const countProcesses = (answered: number, wanted: number): readonly Figures[] => [
  gauge(PROCESSES, 'first', [[answered]]),
  gauge(WANTED, 'first', [[wanted]]),
];

const LINES_DROPPED = {
  name: 'insurance_sales_log_lines_dropped_total',
  help: 'Log lines that were dropped, because too many waited for a full disk or a slow reader.',
};
const LOG_FAILING = {
  name: 'insurance_sales_log_failing',
  help: 'Processes whose last write of log lines failed.',
  labels: [],
};

/** @param failure the error code of the last write of log lines; undefined: it was written */
export const logFigures = (dropped: number, failure: string | undefined): readonly Figures[] => [
  {
    ...LINES_DROPPED,
    type: 'counter',
    aggregator: 'sum',
    values: [{ value: dropped, labels: {} }],
  },
  gauge(LOG_FAILING, 'sum', [[failure === undefined ? 0 : 1]]),
];

const defaults = makeOnce(async () => {
  const { collectDefaultMetrics, Registry } = library();
  const register = new Registry();
  collectDefaultMetrics({ register });
  return () => register.getMetricsAsJSON() as unknown as Promise<readonly Figures[]>;
});

/**
 * The figures that Prometheus's libraries give for every process and for Node: memory, processor
 * time, event loop, garbage collection. They are watched from the first call on.
 */
export const processFigures = async (): Promise<readonly Figures[]> => {
  const readDefaults = await defaults.get();
  const found = await readDefaults();
  return found.map((each) => ({
    ...each,
    aggregator: aggregatorOf(each),
    // The event loop's figures are no numbers until there is something to measure.
    values: each.values.filter(({ value }) => Number.isFinite(value)),
  }));
};

/** The figures of several processes as one list. */
export const mergeFigures = async (
  processes: readonly (readonly Figures[])[],
): Promise<readonly Figures[]> => {
  const { AggregatorRegistry } = library();
  const merged = AggregatorRegistry.aggregate(processes as object[]);
  return (await merged.getMetricsAsJSON()) as unknown as readonly Figures[];
};

/** The figures of all processes in Prometheus's text format. */
export const exposeFigures = async (
  processes: readonly (readonly Figures[])[],
): Promise<string> => {
  const { AggregatorRegistry } = library();
  return AggregatorRegistry.aggregate(processes as object[]).metrics();
};
