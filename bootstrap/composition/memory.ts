import type { ContainerModule } from 'inversify';
import { eventBodies } from '../../adapters/http/events/event-body.ts';
import { type LocalFile, LocalIssuer } from '../../adapters/issuance/local-issuer.ts';
import { AjvAttributeSchemas } from '../../adapters/json-schema/ajv-attribute-schemas.ts';
import { MemoryAlertSender, MemoryAlerts } from '../../adapters/memory/alerts.ts';
import { MemoryApprovalRequests } from '../../adapters/memory/approvals/approval-requests.ts';
import { MemoryCatalogue } from '../../adapters/memory/catalogue/catalogue.ts';
import {
  MemoryDocumentLinks,
  MemoryDocuments,
  MemoryMailer,
} from '../../adapters/memory/certificate-delivery.ts';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { MemoryPartnerEvents } from '../../adapters/memory/events/partner-events.ts';
import { MemoryEvidenceSeal } from '../../adapters/memory/evidence-seal.ts';
import { MemoryGroups } from '../../adapters/memory/groups/groups.ts';
import { MemoryClients } from '../../adapters/memory/identity/clients.ts';
import { MemoryRefreshTokens } from '../../adapters/memory/identity/refresh-tokens.ts';
import { MemoryAlertRecords } from '../../adapters/memory/operations/alert-records.ts';
import { MemoryAnsweredRequests } from '../../adapters/memory/operations/answered-requests.ts';
import { MemoryAuditLog } from '../../adapters/memory/operations/audit-log.ts';
import { MemoryEvidenceKeys } from '../../adapters/memory/operations/evidence-keys.ts';
import { MemoryProviderCalls } from '../../adapters/memory/operations/provider-calls.ts';
import { MemoryRecords } from '../../adapters/memory/operations/provider-records.ts';
import { MemoryReadinessRecords } from '../../adapters/memory/operations/readiness-records.ts';
import { MemoryPeople } from '../../adapters/memory/people/people.ts';
import { MemorySessions } from '../../adapters/memory/people/sessions.ts';
import { UnreliableIssuer, UnreliablePayments } from '../../adapters/memory/providers.ts';
import { MemoryQuoteSeal } from '../../adapters/memory/quote-seal.ts';
import { MemoryDeclinedOffers } from '../../adapters/memory/sales/declined-offers.ts';
import { MemoryLegalClocks } from '../../adapters/memory/sales/legal-clocks.ts';
import { MemoryMailings } from '../../adapters/memory/sales/mailings.ts';
import { MemoryNotices } from '../../adapters/memory/sales/payment-notices.ts';
import { MemorySaleJobs } from '../../adapters/memory/sales/sale-jobs.ts';
import { MemorySales } from '../../adapters/memory/sales/sales.ts';
import { MemorySearchIndex } from '../../adapters/memory/search/search-index.ts';
import { MemorySecretSeal } from '../../adapters/memory/secret-seal.ts';
import {
  MemoryAccessTokens,
  MemoryIdentifiers,
  MemorySecrets,
} from '../../adapters/memory/security.ts';
import { MemoryBookingTotals } from '../../adapters/memory/totals/booking-totals.ts';
import { MemoryWebhookSender } from '../../adapters/memory/webhook-sender.ts';
import { MemoryDeliveries } from '../../adapters/memory/webhooks/webhook-deliveries.ts';
import { MemoryWebhookEndpoints } from '../../adapters/memory/webhooks/webhook-endpoints.ts';
import { MemoryWebhookReplays } from '../../adapters/memory/webhooks/webhook-replays.ts';
import {
  type NoticeManner,
  type SandboxEvent,
  SandboxGateway,
} from '../../adapters/payment/sandbox/sandbox-gateway.ts';
import { SandboxNotices, signNotice } from '../../adapters/payment/sandbox/sandbox-notices.ts';
import { WebhookUrlRules } from '../../adapters/webhooks/webhook-urls.ts';
import * as channel from './channel-use-cases.ts';
import { type Composed, compose, type Fakes, lazy } from './compose.ts';
import * as own from './infrastructure.ts';
import { alertNotes, gateways, observedModule } from './observed.ts';
import { all, type Given, Group, part } from './part.ts';
import * as ports from './ports.ts';
import * as sale from './sale-use-cases.ts';
import { viewsModule } from './views.ts';

const { saleUseCasesModule, ...saleUseCases } = sale;
const { channelUseCasesModule, ...channelUseCases } = channel;
const useCases = { ...saleUseCases, ...channelUseCases };

const { built, module: memoryModule } = new Group();

// Settings, and what the machine gives
built(ports.publicUrl, {}, () => 'https://sales.example');
built(ports.linkUrl, { publicUrl: ports.publicUrl }, (given) => given.publicUrl);
built(ports.requestsPerMinute, {}, () => 'off' as const);
built(ports.isTest, {}, () => true);
built(ports.documentLinkSeconds, {}, () => 7 * 86_400);
built(ports.mailsPerMinute, {}, () => undefined);
built(ports.timers, {}, () => ({ every: () => () => {}, pause: async () => {} }));
const clock = built(ports.clock, {}, () => new MemoryClock('2026-11-20T15:00:00.000Z'));
built(ports.chance, {}, () => () => 0.5);
built(ports.currentRequestId, {}, () => () => undefined);
built(ports.identifiers, { clock }, (given) => new MemoryIdentifiers(given.clock));

// Audit and alerts
const auditLog = built(ports.auditLog, {}, () => new MemoryAuditLog());
const alerts = built(ports.alerts, { alertNotes }, (given) => new MemoryAlerts(given.alertNotes));
const alertRecords = built(ports.alertRecords, { auditLog }, (given) => {
  return new MemoryAlertRecords(given.auditLog);
});
built(ports.alertNotifications, { alertRecords }, (given) => given.alertRecords);
const alertSenders = built(ports.alertSenders, {}, () => [
  new MemoryAlertSender('mail'),
  new MemoryAlertSender('webhook'),
]);

// Sales
const partnerEvents = built(ports.partnerEvents, {}, () => new MemoryPartnerEvents());
const mailings = built(ports.mailings, { auditLog }, (given) => new MemoryMailings(given.auditLog));
const OUTBOXES = { mailbox: mailings, events: partnerEvents };
const sales = built(ports.sales, { auditLog, ...OUTBOXES, clock }, (given) => {
  return new MemorySales(given.auditLog, given, given.clock);
});
built(ports.searchIndex, { sales, partnerEvents }, (given) => {
  return new MemorySearchIndex(given.sales, given.partnerEvents);
});
built(ports.bookingTotals, { sales, partnerEvents, clock }, (given) => {
  return new MemoryBookingTotals(given.sales, given.partnerEvents, given.clock);
});
built(ports.saleJobs, { sales, clock }, (given) => new MemorySaleJobs(given.sales, given.clock));
built(ports.legalClocks, { sales, mailings, alertRecords }, (given) => {
  return new MemoryLegalClocks(given.sales, given.mailings, given.alertRecords);
});
built(ports.catalogue, { auditLog, clock }, (given) => {
  return new MemoryCatalogue(given.auditLog, given.clock);
});
built(ports.groups, { auditLog }, (given) => new MemoryGroups(given.auditLog));
built(ports.attributeSchemas, {}, () => new AjvAttributeSchemas());
built(ports.quoteSeal, {}, () => new MemoryQuoteSeal());

// Identity and evidence
built(ports.clients, { auditLog }, (given) => new MemoryClients(given.auditLog));
built(ports.refreshTokens, { auditLog }, (given) => new MemoryRefreshTokens(given.auditLog));
built(ports.people, { auditLog }, (given) => new MemoryPeople(given.auditLog));
built(ports.sessions, { auditLog }, (given) => new MemorySessions(given.auditLog));
built(ports.approvalRequests, { auditLog }, (given) => {
  return new MemoryApprovalRequests(given.auditLog);
});
built(ports.accessTokens, { clock }, (given) => new MemoryAccessTokens(given.clock));
built(ports.counters, { clock }, (given) => new MemoryCounters(given.clock));
built(ports.secrets, {}, () => new MemorySecrets());
built(ports.secretSeal, {}, () => new MemorySecretSeal());
const evidenceKeys = built(ports.evidenceKeys, { auditLog }, (given) => {
  return new MemoryEvidenceKeys(given.auditLog);
});
built(ports.evidenceSeal, { evidenceKeys, clock }, (given) => {
  return new MemoryEvidenceSeal(given.evidenceKeys, given.clock);
});

// Webhooks and requests
const webhookEndpoints = built(ports.webhookEndpoints, { auditLog }, (given) => {
  return new MemoryWebhookEndpoints(given.auditLog);
});
built(ports.webhookReplays, { auditLog }, (given) => new MemoryWebhookReplays(given.auditLog));
const FOLLOWED = { partnerEvents, webhookEndpoints, clock };
const deliveries = built(ports.deliveries, FOLLOWED, (given) => {
  return new MemoryDeliveries(given.partnerEvents, given.webhookEndpoints, given.clock);
});
built(ports.webhookUrls, { publicUrl: ports.publicUrl }, (given) => {
  return new WebhookUrlRules({ isTest: true, ...given });
});
const webhookSender = built(ports.webhookSender, {}, () => new MemoryWebhookSender());
built(ports.eventBodies, {}, () => eventBodies);
built(ports.answeredRequests, {}, () => new MemoryAnsweredRequests());
built(ports.declinedOffers, {}, () => new MemoryDeclinedOffers());
built(ports.readinessRecords, {}, () => new MemoryReadinessRecords());
built(ports.providerCalls, {}, () => new MemoryProviderCalls());

// Certificates and mail
built(ports.documents, {}, () => new MemoryDocuments());
built(ports.documentLinks, {}, () => new MemoryDocumentLinks());
const mailer = built(ports.mailer, {}, () => new MemoryMailer());

// Gateway and insurer
const undelivered = built(part('undelivered'), {}, (): SandboxEvent[] => []);
const sandbox = built(own.sandbox, { clock, undelivered }, (given) => {
  const publicUrl = 'https://pay.example';
  const notify = async (event: SandboxEvent, manner: NoticeManner): Promise<void> => {
    if (manner !== 'never') given.undelivered.push(event);
  };
  return new SandboxGateway({ ledger: new MemoryRecords(), clock: given.clock, publicUrl, notify });
});
const payments = built(ports.payments, { sandbox }, (given) => {
  return new UnreliablePayments(given.sandbox);
});
const notices = built(ports.notices, {}, () => new MemoryNotices());
const NOTICE_SECRET = 'known to the sandbox in memory';
built(ports.defaultGateway, { payments: all(payments) }, (given) => given.payments[0]?.name ?? '');
built(ports.noticeReader, { clock }, (given) => new SandboxNotices(NOTICE_SECRET, given.clock));
const issuer = built(ports.issuer, { clock }, (given) => {
  const [files, numbers] = [new MemoryRecords<LocalFile>(), new MemoryRecords<number>()];
  return new UnreliableIssuer(new LocalIssuer({ files, numbers, clock: given.clock }));
});

const parts = {
  ...ports,
  ...{
    clock,
    auditLog,
    alerts,
    alertRecords,
    alertSenders,
    sales,
    mailings,
    mailer,
    partnerEvents,
  },
  ...{ evidenceKeys, webhookEndpoints, webhookSender, deliveries, payments, notices, issuer },
  ...{ sandbox, undelivered, alertNotes, gateways },
};

/**
 * A service in memory. `mailer` and `webhookSender` keep what they have sent. `payments` and
 * `issuer` fail on demand; payers pay on the pages of `sandbox`, the gateway behind `payments`,
 * whose events wait in `undelivered`.
 */
export interface MemoryService extends Given<typeof parts> {
  readonly useCases: Given<typeof useCases>;
  /** Delivers the gateway's events, does once what the job queue would do, and stores alerts. */
  runJobs(): Promise<void>;
}

/** A service with replaced adapters. */
export type Replaced<Faked extends Fakes> = Omit<MemoryService, keyof Faked> & Faked;

/**
 * Every use-case over in-memory adapters: no file, no network, no waiting. The clock stands until it
 * is moved. A fake takes the place of an adapter: `memoryService({ payments: myFake })`.
 */
export const memoryService = <Faked extends Fakes = Record<never, never>>(
  fakes?: Faked,
): Replaced<Faked> => composeMemory(fakes).service;

export const MEMORY_MODULES = [
  memoryModule,
  observedModule,
  channelUseCasesModule,
  saleUseCasesModule,
  viewsModule(0),
];

/** @param more modules beside those of memory */
export const composeMemory = <Faked extends Fakes>(
  fakes: Faked | undefined,
  more: readonly ContainerModule[] = [],
): { readonly service: Replaced<Faked>; readonly get: Composed['get'] } => {
  const { get } = compose([...MEMORY_MODULES, ...more], fakes);
  // Deliveries and the search follow events from the first one on.
  get(ports.deliveries);
  get(ports.searchIndex);
  const service = Object.assign(lazy(get, parts), {
    useCases: lazy(get, useCases),
    runJobs: () => runJobs(service as unknown as MemoryService),
  });
  return { service: service as unknown as Replaced<Faked>, get };
};

const runJobs = async (service: MemoryService): Promise<void> => {
  const { clock: time, undelivered: events, notices: taken, sales: stored } = service;

  const { receive, process } = service.useCases.takeNotices;
  for (const [index, event] of events.splice(0).entries()) {
    const id = `${event.event}-${event.chargeId}-${time.now()}-${index}`;
    const { headers, body } = signNotice(id, event, NOTICE_SECRET, time.now());
    await receive('sandbox', headers, body);
  }
  for (const due of taken.due.splice(0))
    if ((await process(due.gateway, due.id)) === 'later') taken.due.push(due);

  for (const id of new Set(stored.due.splice(0))) {
    const advanced = await service.useCases.advanceSale.claimed(id);
    if (advanced === 'busy' || (advanced !== 'unknown_sale' && advanced.kind !== 'settled'))
      stored.due.push(id);
  }

  while ((await service.useCases.mailInsured(100)).taken > 0);
  while ((await service.useCases.followSales()) === 'more');
  while ((await service.useCases.followBookings()) === 'more');
  await service.alertNotes.flush();
};
