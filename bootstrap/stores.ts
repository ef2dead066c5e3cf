import { JobQueue } from '../adapters/jobs/queue.ts';
import { AjvAttributeSchemas } from '../adapters/json-schema/ajv-attribute-schemas.ts';
import { LocalCounters, NoCounters, SharedCounters } from '../adapters/limits/counters.ts';
import {
  DatabaseAlertRecords,
  DatabaseAlertTellings,
} from '../adapters/persistence/alert-records.ts';
import { DatabaseAnsweredRequests } from '../adapters/persistence/answered-requests.ts';
import { DatabaseAuditLog } from '../adapters/persistence/audit-log.ts';
import { DatabaseCatalogue } from '../adapters/persistence/catalogue.ts';
import { DatabaseClients } from '../adapters/persistence/clients.ts';
import type { Database } from '../adapters/persistence/database.ts';
import { DatabaseEvidenceKeys } from '../adapters/persistence/evidence-keys.ts';
import { DatabaseLegalClocks } from '../adapters/persistence/legal-clocks.ts';
import { DatabaseMailings } from '../adapters/persistence/mailings.ts';
import { DatabasePartnerEvents } from '../adapters/persistence/partner-events.ts';
import { DatabaseNotices } from '../adapters/persistence/payment-notices.ts';
import { DatabaseProviderCalls } from '../adapters/persistence/provider-calls.ts';
import { DatabaseQuoteSecrets } from '../adapters/persistence/quote-secrets.ts';
import { DatabaseReadinessRecords } from '../adapters/persistence/readiness-records.ts';
import { DatabaseRefreshTokens } from '../adapters/persistence/refresh-tokens.ts';
import { DatabaseSaleJobs } from '../adapters/persistence/sale-jobs.ts';
import { DatabaseSales } from '../adapters/persistence/sales.ts';
import { DatabaseDeliveries } from '../adapters/persistence/webhook-deliveries.ts';
import { DatabaseWebhookEndpoints } from '../adapters/persistence/webhook-endpoints.ts';
import { DatabaseWebhookReplays } from '../adapters/persistence/webhook-replays.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import type { Counters } from '../application/counters.ts';
import { describeFault } from '../application/describe-fault.ts';
import type { Config } from './config.ts';
import type { Service } from './parts.ts';
import type { Registry } from './registry.ts';

interface StoreParts {
  readonly database: Database;
  readonly tracing: Tracing | undefined;
}

/** What requests and jobs do with sales, one row or page at a time. */
const TRACED_SALES = [
  'register',
  'findEarlier',
  'claim',
  'save',
  'answer',
  'release',
  'load',
  'find',
  'findStatus',
  'findByEitherName',
  'list',
] as const;

/** What is kept in the database, and the jobs in it. */
export const bindStores = (
  registry: Registry<Service>,
  config: Config,
  { database, tracing }: StoreParts,
): void => {
  registry
    .bind('database', () => database)
    .bind('checkReady', () => () => database.check())
    .bind('jobs', ({ log, jobContext: context }) => {
      const { executor, isEmbedded } = database;
      const failed = warnSeldom(log, 'a job failed and will be done again');
      return new JobQueue({ executor, isEmbedded, failed, context });
    })
    .bind('sales', ({ jobs, jobContext, metrics: observer }) => {
      const around = { currentCause: jobContext.current, observer };
      const sales = new DatabaseSales(database, enqueueIn(jobs), around);
      return tracing?.traceStore('sales', sales, TRACED_SALES) ?? sales;
    })
    .bind('saleJobs', ({ jobs }) => new DatabaseSaleJobs(database, enqueueIn(jobs)))
    .bind('legalClocks', () => new DatabaseLegalClocks(database))
    .bind('notices', ({ jobs }) => new DatabaseNotices(database, enqueueIn(jobs)))
    .bind('mailings', () => new DatabaseMailings(database))
    .bind('partnerEvents', () => new DatabasePartnerEvents(database))
    .bind('webhookReplays', () => new DatabaseWebhookReplays(database))
    .bind('webhookEndpoints', () => new DatabaseWebhookEndpoints(database))
    .bind('deliveries', () => new DatabaseDeliveries(database))
    .bind('alertRecords', () => new DatabaseAlertRecords(database))
    .bind('alertTellings', () => new DatabaseAlertTellings(database))
    .bind('answeredRequests', () => new DatabaseAnsweredRequests(database))
    .bind('readinessRecords', () => new DatabaseReadinessRecords(database))
    .bind('providerCalls', () => new DatabaseProviderCalls(database))
    .bind('evidenceKeys', () => new DatabaseEvidenceKeys(database))
    .bind('catalogue', () => new DatabaseCatalogue(database))
    .bind('attributeSchemas', () => new AjvAttributeSchemas())
    .bind('quoteSecrets', () => new DatabaseQuoteSecrets(database))
    .bind('clients', () => new DatabaseClients(database))
    .bind('refreshTokens', () => new DatabaseRefreshTokens(database))
    .bind('auditLog', () => new DatabaseAuditLog(database))
    .bind('counters', () => makeCounters(config, database));
};

/** Time in which failures of one kind are one line: an outage makes every job fail, again and again. */
const WARN_EVERY_MS = 1_000;

/** Returns a function that logs the first failure in a second, and how many there were since. */
const warnSeldom = (log: Service['log'], text: string): ((error: unknown) => void) => {
  let warnedAt = Number.NEGATIVE_INFINITY;
  let others = 0;
  return function warn(error) {
    const now = performance.now();
    if (now - warnedAt < WARN_EVERY_MS) {
      others += 1;
      return;
    }
    log.warn({ fault: describeFault(error), ...(others > 0 && { others }) }, text);
    [warnedAt, others] = [now, 0];
  };
};

const enqueueIn =
  (jobs: JobQueue) =>
  (...task: Parameters<JobQueue['enqueue']>): Promise<void> =>
    jobs.enqueue(...task);

/** Processes that share a database count together; the embedded one serves a single process. */
const makeCounters = ({ rateLimit, database: { kind } }: Config, database: Database): Counters => {
  if (rateLimit === 'off') return new NoCounters();
  if (kind === 'embedded') return new LocalCounters();
  return new SharedCounters(database.run);
};
