import { eventBodies } from '../adapters/http/events/event-body.ts';
import { type LocalFile, LocalIssuer } from '../adapters/issuance/local-issuer.ts';
import { AjvAttributeSchemas } from '../adapters/json-schema/ajv-attribute-schemas.ts';
import { MemoryAlertRecords, MemoryAlertSender, MemoryAlerts } from '../adapters/memory/alerts.ts';
import { MemoryAuditLog } from '../adapters/memory/audit-log.ts';
import { MemoryCatalogue } from '../adapters/memory/catalogue.ts';
import {
  MemoryDocumentLinks,
  MemoryDocuments,
  MemoryMailer,
} from '../adapters/memory/certificate-delivery.ts';
import { MemoryClients } from '../adapters/memory/clients.ts';
import { MemoryClock } from '../adapters/memory/clock.ts';
import { MemoryCounters } from '../adapters/memory/counters.ts';
import { MemoryEvidenceKeys, MemoryEvidenceSeal } from '../adapters/memory/evidence.ts';
import { MemoryLegalClocks } from '../adapters/memory/legal-clocks.ts';
import { MemoryMailings } from '../adapters/memory/mailings.ts';
import { MemoryPartnerEvents } from '../adapters/memory/partner-events.ts';
import { MemoryProviderCalls } from '../adapters/memory/provider-calls.ts';
import {
  MemoryNotices,
  MemoryRecords,
  UnreliableIssuer,
  UnreliablePayments,
} from '../adapters/memory/providers.ts';
import { MemoryQuoteSeal } from '../adapters/memory/quotes.ts';
import { MemoryRefreshTokens } from '../adapters/memory/refresh-tokens.ts';
import { MemoryAnsweredRequests, MemoryReadinessRecords } from '../adapters/memory/requests.ts';
import { MemorySaleJobs } from '../adapters/memory/sale-jobs.ts';
import { MemorySales } from '../adapters/memory/sales.ts';
import { MemorySecretSeal } from '../adapters/memory/secret-seal.ts';
import {
  MemoryAccessTokens,
  MemoryIdentifiers,
  MemorySecrets,
} from '../adapters/memory/security.ts';
import { MemoryDeliveries } from '../adapters/memory/webhook-deliveries.ts';
import { MemoryWebhookEndpoints } from '../adapters/memory/webhook-endpoints.ts';
import { MemoryWebhookReplays } from '../adapters/memory/webhook-replays.ts';
import { MemoryWebhookSender } from '../adapters/memory/webhook-sender.ts';
import { type SandboxEvent, SandboxGateway } from '../adapters/payment/sandbox/sandbox-gateway.ts';
import { SandboxNotices, signNotice } from '../adapters/payment/sandbox/sandbox-notices.ts';
import { WebhookUrlRules } from '../adapters/webhooks/webhook-urls.ts';
import { makeNoteAlerts, type NoteAlerts } from '../application/alerts/note-alerts.ts';
import { makeNoteProviderCalls } from '../application/providers/note-provider-calls.ts';
import { observeIssuer, observePayments } from '../application/providers/observe-providers.ts';
import { type Ports, pickPorts } from './ports.ts';
import { Registry } from './registry.ts';
import { makeUseCases, type UseCases } from './use-cases.ts';

/** The parts of a service in memory. */
interface MemoryParts extends Ports {
  readonly clock: MemoryClock;
  readonly auditLog: MemoryAuditLog;
  readonly sales: MemorySales;
  readonly alerts: MemoryAlerts;
  readonly noteAlerts: NoteAlerts;
  readonly alertRecords: MemoryAlertRecords;
  readonly alertSenders: readonly MemoryAlertSender[];
  readonly notices: MemoryNotices;
  readonly mailings: MemoryMailings;
  readonly partnerEvents: MemoryPartnerEvents;
  readonly webhookEndpoints: MemoryWebhookEndpoints;
  readonly deliveries: MemoryDeliveries;
  /** Keeps the messages that were sent. */
  readonly webhookSender: MemoryWebhookSender;
  /** Keeps the mails that were sent. */
  readonly mailer: MemoryMailer;
  /** The payment gateway as the service sees it: it fails on demand. */
  readonly payments: UnreliablePayments;
  /** The gateway behind it, on whose pages payers pay. */
  readonly sandbox: SandboxGateway;
  readonly issuer: UnreliableIssuer;
  /** Events of the gateway that were not delivered yet. */
  readonly undelivered: SandboxEvent[];
  readonly useCases: UseCases;
}

/** A service in memory for tests: its parts and, to swap one of them, their registry. */
export interface InMemory extends MemoryParts {
  readonly registry: Registry<MemoryParts>;
  /** Delivers the gateway's events, does once what the job queue would do, and stores alerts. */
  runJobs(): Promise<void>;
}

/**
 * Every use-case over in-memory adapters: no file, no network, no waiting. The clock stands at
 * `now` until it is moved. To swap an adapter: `inMemory().registry.bind('secrets', () => …)`.
 */
export const inMemory = (now = '2026-11-20T15:00:00.000Z'): InMemory => {
  const registry = new Registry<MemoryParts>()
    .bind('publicUrl', () => 'https://sales.example')
    .bind('requestsPerMinute', () => 'off')
    .bind('clock', () => new MemoryClock(now))
    .bind('chance', () => () => 0.5)
    .bind('identifiers', ({ clock }) => new MemoryIdentifiers(clock))
    .bind('currentRequestId', () => () => undefined)
    .bind('noteAlerts', (parts) => makeNoteAlerts(parts))
    .bind('alerts', ({ noteAlerts }) => new MemoryAlerts(noteAlerts))
    .bind('alertRecords', ({ auditLog }) => new MemoryAlertRecords(auditLog))
    .bind('alertTellings', ({ alertRecords }) => alertRecords)
    .bind('alertSenders', () => [new MemoryAlertSender('mail'), new MemoryAlertSender('webhook')])

    .bind('auditLog', () => new MemoryAuditLog())
    .bind('mailings', ({ auditLog }) => new MemoryMailings(auditLog))
    .bind('webhookReplays', ({ auditLog }) => new MemoryWebhookReplays(auditLog))
    .bind('webhookUrls', ({ publicUrl }) => new WebhookUrlRules({ isTest: true, publicUrl }))
    .bind('webhookEndpoints', ({ auditLog }) => new MemoryWebhookEndpoints(auditLog))
    .bind('partnerEvents', () => new MemoryPartnerEvents())
    .bind('sales', ({ auditLog, mailings: mailbox, partnerEvents: events, clock }) => {
      return new MemorySales(auditLog, { mailbox, events }, clock);
    })
    .bind('saleJobs', ({ sales, clock }) => new MemorySaleJobs(sales, clock))
    .bind('deliveries', ({ partnerEvents, webhookEndpoints, clock }) => {
      return new MemoryDeliveries(partnerEvents, webhookEndpoints, clock);
    })
    .bind('legalClocks', ({ sales, mailings, alertRecords }) => {
      return new MemoryLegalClocks(sales, mailings, alertRecords);
    })
    .bind('catalogue', ({ auditLog }) => new MemoryCatalogue(auditLog))
    .bind('attributeSchemas', () => new AjvAttributeSchemas())
    .bind('quoteSeal', () => new MemoryQuoteSeal())

    .bind('clients', ({ auditLog }) => new MemoryClients(auditLog))
    .bind('refreshTokens', ({ auditLog }) => new MemoryRefreshTokens(auditLog))
    .bind('accessTokens', ({ clock }) => new MemoryAccessTokens(clock))
    .bind('secrets', () => new MemorySecrets())
    .bind('secretSeal', () => new MemorySecretSeal())
    .bind('webhookSender', () => new MemoryWebhookSender())
    .bind('eventBodies', () => eventBodies)
    .bind('answeredRequests', () => new MemoryAnsweredRequests())
    .bind('readinessRecords', () => new MemoryReadinessRecords())
    .bind('providerCalls', () => new MemoryProviderCalls())
    .bind('noteProviderCalls', (parts) => makeNoteProviderCalls(parts))
    .bind('keepsReadiness', () => true)
    .bind('counters', ({ clock }) => new MemoryCounters(clock))

    .bind('documents', () => new MemoryDocuments())
    .bind('documentLinks', () => new MemoryDocumentLinks())
    .bind('documentLinkSeconds', () => 7 * 86_400)
    .bind('mailer', () => new MemoryMailer())

    .bind('evidenceKeys', ({ auditLog }) => new MemoryEvidenceKeys(auditLog))
    .bind('evidenceSeal', ({ evidenceKeys, clock }) => {
      return new MemoryEvidenceSeal(evidenceKeys, clock);
    });

  bindProviders(registry);
  registry.bind('useCases', (parts) => makeUseCases(observed(pickPorts(parts))));

  const { parts } = registry;
  const added = { registry, runJobs: () => runJobs(parts) };
  return Object.defineProperties(added, Object.getOwnPropertyDescriptors(parts)) as InMemory;
};

/** Gateway and insurer as the use-cases see them: their calls are noted. */
const observed = (ports: Ports): Ports => {
  const { payments, issuer, noteProviderCalls } = ports;
  return {
    ...ports,
    payments: observePayments(payments, noteProviderCalls.observe),
    issuer: observeIssuer(issuer, noteProviderCalls.observe),
  };
};

/** The sandbox gateway and the local insurer, with their books in memory. */
const bindProviders = (registry: Registry<MemoryParts>): void => {
  registry
    .bind('undelivered', () => [])
    .bind('sandbox', ({ clock, undelivered }) => {
      const notify = async (event: SandboxEvent): Promise<void> => {
        undelivered.push(event);
      };
      const publicUrl = 'https://pay.example';
      return new SandboxGateway({ ledger: new MemoryRecords(), clock, publicUrl, notify });
    })
    .bind('payments', ({ sandbox }) => new UnreliablePayments(sandbox))
    .bind('notices', () => new MemoryNotices())
    .bind('noticeReader', ({ clock }) => new SandboxNotices(NOTICE_SECRET, clock))
    .bind('issuer', ({ clock }) => {
      const [files, numbers] = [new MemoryRecords<LocalFile>(), new MemoryRecords<number>()];
      return new UnreliableIssuer(new LocalIssuer({ files, numbers, clock }));
    });
};

const NOTICE_SECRET = 'known to the sandbox in memory';

const runJobs = async (parts: MemoryParts): Promise<void> => {
  const { useCases, clock, undelivered, notices, sales, mailings } = parts;

  const { receive, process } = useCases.takeNotices;
  for (const [index, event] of undelivered.splice(0).entries()) {
    const id = `${event.event}-${event.chargeId}-${clock.now()}-${index}`;
    const { headers, body } = signNotice(id, event, NOTICE_SECRET, clock.now());
    await receive(headers, body);
  }
  for (const id of notices.due.splice(0)) if ((await process(id)) === 'later') notices.due.push(id);

  for (const id of new Set(sales.due.splice(0))) {
    const advanced = await useCases.advanceSale.claimed(id);
    if (advanced === 'busy' || (advanced !== 'unknown_sale' && advanced.kind !== 'settled'))
      sales.due.push(id);
  }

  const { send, giveUp } = useCases.mailInsured;
  for (const name of mailings.due.splice(0)) {
    const outcome = await send(name);
    if (outcome.kind === 'refused') await giveUp(name, outcome.reason);
    if (outcome.kind === 'later') mailings.due.push(name);
  }
  await parts.noteAlerts.flush();
};
