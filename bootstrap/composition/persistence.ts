import { type Bind, ContainerModule } from 'inversify';
import { DatabaseApprovalRequests } from '../../adapters/persistence/approvals/approval-requests.ts';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue/catalogue.ts';
import type { Database } from '../../adapters/persistence/engine/database.ts';
import { DatabasePartnerEvents } from '../../adapters/persistence/events/partner-events.ts';
import { DatabaseGroups } from '../../adapters/persistence/groups/groups.ts';
import { DatabaseClients } from '../../adapters/persistence/identity/clients.ts';
import {
  LocalCounters,
  NoCounters,
  SharedCounters,
} from '../../adapters/persistence/identity/counters.ts';
import { DatabaseRefreshTokens } from '../../adapters/persistence/identity/refresh-tokens.ts';
import {
  DatabaseAlertNotifications,
  DatabaseAlertRecords,
} from '../../adapters/persistence/operations/alert-records.ts';
import { DatabaseAnsweredRequests } from '../../adapters/persistence/operations/answered-requests.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/operations/audit-log.ts';
import { DatabaseEvidenceKeys } from '../../adapters/persistence/operations/evidence-keys.ts';
import { DatabaseProviderCalls } from '../../adapters/persistence/operations/provider-calls.ts';
import { DatabaseQuoteSecrets } from '../../adapters/persistence/operations/quote-secrets.ts';
import { DatabaseReadinessRecords } from '../../adapters/persistence/operations/readiness-records.ts';
import { DatabasePeople } from '../../adapters/persistence/people/people.ts';
import { DatabaseSessions } from '../../adapters/persistence/people/sessions.ts';
import { DatabaseDeclinedOffers } from '../../adapters/persistence/sales/declined-offers.ts';
import { DatabaseLegalClocks } from '../../adapters/persistence/sales/legal-clocks.ts';
import { DatabaseMailings } from '../../adapters/persistence/sales/mailings.ts';
import { DatabaseNotices } from '../../adapters/persistence/sales/payment-notices.ts';
import { DatabaseSaleJobs } from '../../adapters/persistence/sales/sale-jobs.ts';
import { DatabaseSales } from '../../adapters/persistence/sales/sales.ts';
import { DatabaseSearchIndex } from '../../adapters/persistence/search/search-index.ts';
import { DatabaseBookingTotals } from '../../adapters/persistence/totals/booking-totals.ts';
import { DatabaseDeliveries } from '../../adapters/persistence/webhooks/webhook-deliveries.ts';
import { DatabaseWebhookEndpoints } from '../../adapters/persistence/webhooks/webhook-endpoints.ts';
import { DatabaseWebhookReplays } from '../../adapters/persistence/webhooks/webhook-replays.ts';
import type { Counters } from '../../application/counters.ts';
import type { Config } from '../settings/config.ts';
import {
  checkReady,
  database,
  eventPlaces,
  jobContext,
  jobs,
  metrics,
  quoteSecrets,
  searchTerms,
  tracing,
} from './infrastructure.ts';
import { builder, maybe, type Part } from './part.ts';
import * as ports from './ports.ts';

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

interface Limiting extends Pick<Config, 'rateLimit'> {
  readonly database: Pick<Config['database'], 'kind'>;
}

/** Binds a store by one line. */
const storesOn = (opened: Database, bind: Bind) => {
  const build = builder(bind);
  const bindStore = <Type>(port: Part<Type>, Store: new (opened: Database) => Type) =>
    build(port, {}, () => new Store(opened));
  return { build, bindStore };
};

/** What all groups of channels share, in the control database: clients, logins, catalogue, people. */
export const controlModule = (opened: Database, settings: Limiting): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { build, bindStore } = storesOn(opened, bind);

    bind(checkReady).toConstantValue(() => opened.check());
    bindStore(ports.evidenceKeys, DatabaseEvidenceKeys);
    build(ports.catalogue, { clock: ports.clock }, (given) => {
      return new DatabaseCatalogue(opened, given.clock);
    });
    bindStore(ports.groups, DatabaseGroups);
    bindStore(quoteSecrets, DatabaseQuoteSecrets);
    bindStore(ports.clients, DatabaseClients);
    bindStore(ports.refreshTokens, DatabaseRefreshTokens);
    bindStore(ports.people, DatabasePeople);
    bindStore(ports.sessions, DatabaseSessions);
    bind(ports.counters).toResolvedValue(() => makeCounters(settings, opened));
  });

/** What belongs to the sales of one group of channels, in its own database. */
export const groupModule = (opened: Database): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { build, bindStore } = storesOn(opened, bind);

    bind(database).toConstantValue(opened);
    build(
      ports.sales,
      { jobs, jobContext, observer: maybe(metrics), tracing: maybe(tracing) },
      ({ jobs: queue, jobContext: { current: currentCause }, observer, tracing: traces }) => {
        const sales = new DatabaseSales(opened, queue.enqueue, { currentCause, observer });
        return traces?.traceStore('sales', sales, TRACED_SALES) ?? sales;
      },
    );
    build(ports.saleJobs, { jobs }, (given) => new DatabaseSaleJobs(opened, given.jobs.enqueue));
    build(ports.notices, { jobs }, (given) => new DatabaseNotices(opened, given.jobs.enqueue));
    bindStore(ports.legalClocks, DatabaseLegalClocks);
    bindStore(ports.mailings, DatabaseMailings);
    bindStore(ports.partnerEvents, DatabasePartnerEvents);
    bindStore(eventPlaces, DatabasePartnerEvents);
    bindStore(ports.webhookReplays, DatabaseWebhookReplays);
    bindStore(ports.webhookEndpoints, DatabaseWebhookEndpoints);
    bindStore(ports.deliveries, DatabaseDeliveries);
    bindStore(ports.alertRecords, DatabaseAlertRecords);
    bindStore(ports.alertNotifications, DatabaseAlertNotifications);
    bindStore(ports.answeredRequests, DatabaseAnsweredRequests);
    bindStore(ports.declinedOffers, DatabaseDeclinedOffers);
    bindStore(ports.readinessRecords, DatabaseReadinessRecords);
    bindStore(ports.providerCalls, DatabaseProviderCalls);
    build(
      ports.searchIndex,
      { searchTerms },
      (given) => new DatabaseSearchIndex(opened, given.searchTerms),
    );
    bindStore(ports.bookingTotals, DatabaseBookingTotals);
    bindStore(ports.approvalRequests, DatabaseApprovalRequests);
    bindStore(ports.auditLog, DatabaseAuditLog);
  });

/** Processes that share a database count together; the embedded one serves a single process. */
const makeCounters = ({ rateLimit, database: { kind } }: Limiting, opened: Database): Counters => {
  if (rateLimit === 'off') return new NoCounters();
  if (kind === 'embedded') return new LocalCounters();
  return new SharedCounters(opened.run);
};
