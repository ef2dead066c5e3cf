import { ContainerModule } from 'inversify';
import { eventBodies } from '../../adapters/http/events/event-body.ts';
import { type LocalFile, LocalIssuer } from '../../adapters/issuance/local-issuer.ts';
import { AjvAttributeSchemas } from '../../adapters/json-schema/ajv-attribute-schemas.ts';
import {
  MemoryAlertRecords,
  MemoryAlertSender,
  MemoryAlerts,
} from '../../adapters/memory/alerts.ts';
import { MemoryAuditLog } from '../../adapters/memory/audit-log.ts';
import { MemoryCatalogue } from '../../adapters/memory/catalogue.ts';
import {
  MemoryDocumentLinks,
  MemoryDocuments,
  MemoryMailer,
} from '../../adapters/memory/certificate-delivery.ts';
import { MemoryClients } from '../../adapters/memory/clients.ts';
import { MemoryClock } from '../../adapters/memory/clock.ts';
import { MemoryCounters } from '../../adapters/memory/counters.ts';
import { MemoryEvidenceKeys, MemoryEvidenceSeal } from '../../adapters/memory/evidence.ts';
import { MemoryLegalClocks } from '../../adapters/memory/legal-clocks.ts';
import { MemoryMailings } from '../../adapters/memory/mailings.ts';
import { MemoryPartnerEvents } from '../../adapters/memory/partner-events.ts';
import { MemoryProviderCalls } from '../../adapters/memory/provider-calls.ts';
import {
  MemoryNotices,
  MemoryRecords,
  UnreliableIssuer,
  UnreliablePayments,
} from '../../adapters/memory/providers.ts';
import { MemoryQuoteSeal } from '../../adapters/memory/quotes.ts';
import { MemoryRefreshTokens } from '../../adapters/memory/refresh-tokens.ts';
import { MemoryAnsweredRequests, MemoryReadinessRecords } from '../../adapters/memory/requests.ts';
import { MemorySaleJobs } from '../../adapters/memory/sale-jobs.ts';
import { MemorySales } from '../../adapters/memory/sales.ts';
import { MemorySecretSeal } from '../../adapters/memory/secret-seal.ts';
import {
  MemoryAccessTokens,
  MemoryIdentifiers,
  MemorySecrets,
} from '../../adapters/memory/security.ts';
import { MemoryDeliveries } from '../../adapters/memory/webhook-deliveries.ts';
import { MemoryWebhookEndpoints } from '../../adapters/memory/webhook-endpoints.ts';
import { MemoryWebhookReplays } from '../../adapters/memory/webhook-replays.ts';
import { MemoryWebhookSender } from '../../adapters/memory/webhook-sender.ts';
import {
  type SandboxEvent,
  SandboxGateway,
} from '../../adapters/payment/sandbox/sandbox-gateway.ts';
import { SandboxNotices, signNotice } from '../../adapters/payment/sandbox/sandbox-notices.ts';
import { WebhookUrlRules } from '../../adapters/webhooks/webhook-urls.ts';
import type { NoteAlerts } from '../../application/alerts/note-alerts.ts';
import * as channel from './channel-use-cases.ts';
import { type Composed, compose, type Fakes, type Wiring } from './compose.ts';
import { sandbox } from './infrastructure.ts';
import { noteAlerts, observedModule } from './observed.ts';
import { builder, type Given, type Part, part } from './part.ts';
import * as ports from './ports.ts';
import * as sale from './sale-use-cases.ts';

type Ports = Given<typeof ports>;
const { saleUseCasesModule, ...saleUseCases } = sale;
const { channelUseCasesModule, ...channelUseCases } = channel;
const useCases = { ...saleUseCases, ...channelUseCases };

/** The parts of a service in memory. */
interface MemoryParts extends Ports {
  readonly clock: MemoryClock;
  readonly auditLog: MemoryAuditLog;
  readonly sales: MemorySales;
  readonly alerts: MemoryAlerts;
  readonly alertRecords: MemoryAlertRecords;
  readonly alertSenders: readonly MemoryAlertSender[];
  readonly evidenceKeys: MemoryEvidenceKeys;
  readonly notices: MemoryNotices;
  readonly mailings: MemoryMailings;
  readonly partnerEvents: MemoryPartnerEvents;
  readonly webhookEndpoints: MemoryWebhookEndpoints;
  readonly deliveries: MemoryDeliveries;
  /** Keeps the messages that were sent. */
  readonly webhookSender: MemoryWebhookSender;
  /** Keeps the mails that were sent. */
  readonly mailer: MemoryMailer;
  /** The gateway and the insurer fail on demand. */
  readonly payments: UnreliablePayments;
  readonly issuer: UnreliableIssuer;
}

/** A service in memory: each port's adapter by the port's name, each use-case by its own. */
export interface MemoryService extends MemoryParts {
  readonly useCases: Given<typeof useCases>;
  readonly noteAlerts: NoteAlerts;
  /** The gateway behind `payments`, on whose pages payers pay. */
  readonly sandbox: SandboxGateway;
  /** Events of the gateway that were not delivered yet. */
  readonly undelivered: SandboxEvent[];
  /** Delivers the gateway's events, does once what the job queue would do, and stores alerts. */
  runJobs(): Promise<void>;
}

/** A service of which some adapters were replaced. */
export type Replaced<Faked extends Fakes> = Omit<MemoryService, keyof Faked> & Faked;

/**
 * Every use-case over in-memory adapters: no file, no network, no waiting. The clock stands until it
 * is moved. A fake takes the place of an adapter: `memoryService({ payments: myFake })`.
 */
export const memoryService = <Faked extends Fakes = Record<never, never>>(
  fakes?: Faked,
): Replaced<Faked> => composeMemory(fakes).service;

/** @param more modules beside those of memory, and what is asked of them */
export const composeMemory = <Faked extends Fakes>(
  fakes: Faked | undefined,
  more: Pick<Wiring, 'modules' | 'roots'> = { modules: [], roots: [] },
): { readonly service: Replaced<Faked>; readonly get: Composed['get'] } => {
  const modules = [storesModule, providersModule, observedModule];
  const { get } = compose(
    {
      modules: [...modules, channelUseCasesModule, saleUseCasesModule, ...more.modules],
      roots: [...Object.values({ ...useCases, noteAlerts, undelivered }), ...more.roots],
      // Some ports are needed by the API alone.
      isWhole: more.modules.length > 0,
    },
    fakes,
  );
  // Deliveries follow events from the first one on.
  get(ports.deliveries);
  const parts = lazy(get, { ...ports, sandbox, noteAlerts, undelivered });
  const service = Object.assign(parts, {
    useCases: lazy(get, useCases),
    runJobs: () => runJobs(service as unknown as MemoryService),
  });
  return { service: service as unknown as Replaced<Faked>, get };
};

/** An object whose parts are built when they are read. */
const lazy = <Named extends object>(
  get: (wanted: Part<unknown>) => unknown,
  named: Named,
): Given<Named> => {
  const properties = Object.entries(named).map(([name, wanted]) => [
    name,
    { enumerable: true, get: () => get(wanted) },
  ]);
  return Object.defineProperties({}, Object.fromEntries(properties)) as Given<Named>;
};

const undelivered = part<SandboxEvent[]>('undelivered');

/** The ports, with the types of their adapters in memory. */
const memory = ports as unknown as { readonly [Name in keyof Ports]: Part<MemoryParts[Name]> };

/** Stores, settings and what the machine gives. */
const storesModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  const { clock, auditLog, sales, mailings, partnerEvents, alertRecords, evidenceKeys } = memory;

  bind(ports.publicUrl).toConstantValue('https://sales.example');
  bind(ports.requestsPerMinute).toConstantValue('off');
  bind(ports.keepsReadiness).toConstantValue(true);
  bind(ports.documentLinkSeconds).toConstantValue(7 * 86_400);
  bind(clock).toConstantValue(new MemoryClock('2026-11-20T15:00:00.000Z'));
  bind(ports.chance).toConstantValue(() => 0.5);
  bind(ports.currentRequestId).toConstantValue(() => undefined);
  build(ports.identifiers, { clock }, (given) => new MemoryIdentifiers(given.clock));

  bind(auditLog).toConstantValue(new MemoryAuditLog());
  build(memory.alerts, { noteAlerts }, (given) => new MemoryAlerts(given.noteAlerts));
  build(alertRecords, { auditLog }, (given) => new MemoryAlertRecords(given.auditLog));
  build(ports.alertTellings, { alertRecords }, (given) => given.alertRecords);
  bind(ports.alertSenders).toConstantValue([
    new MemoryAlertSender('mail'),
    new MemoryAlertSender('webhook'),
  ]);

  bind(partnerEvents).toConstantValue(new MemoryPartnerEvents());
  build(mailings, { auditLog }, (given) => new MemoryMailings(given.auditLog));
  build(sales, { auditLog, mailings, partnerEvents, clock }, (given) => {
    const outboxes = { mailbox: given.mailings, events: given.partnerEvents };
    return new MemorySales(given.auditLog, outboxes, given.clock);
  });
  build(ports.saleJobs, { sales, clock }, (given) => new MemorySaleJobs(given.sales, given.clock));
  build(ports.legalClocks, { sales, mailings, alertRecords }, (given) => {
    return new MemoryLegalClocks(given.sales, given.mailings, given.alertRecords);
  });
  build(ports.catalogue, { auditLog }, (given) => new MemoryCatalogue(given.auditLog));
  bind(ports.attributeSchemas).toConstantValue(new AjvAttributeSchemas());
  bind(ports.quoteSeal).toConstantValue(new MemoryQuoteSeal());

  build(ports.clients, { auditLog }, (given) => new MemoryClients(given.auditLog));
  build(ports.refreshTokens, { auditLog }, (given) => new MemoryRefreshTokens(given.auditLog));
  build(ports.accessTokens, { clock }, (given) => new MemoryAccessTokens(given.clock));
  build(ports.counters, { clock }, (given) => new MemoryCounters(given.clock));
  bind(ports.secrets).toConstantValue(new MemorySecrets());
  bind(ports.secretSeal).toConstantValue(new MemorySecretSeal());
  build(evidenceKeys, { auditLog }, (given) => new MemoryEvidenceKeys(given.auditLog));
  build(ports.evidenceSeal, { evidenceKeys, clock }, (given) => {
    return new MemoryEvidenceSeal(given.evidenceKeys, given.clock);
  });

  const { webhookEndpoints } = memory;
  build(webhookEndpoints, { auditLog }, (given) => new MemoryWebhookEndpoints(given.auditLog));
  build(ports.webhookReplays, { auditLog }, (given) => new MemoryWebhookReplays(given.auditLog));
  build(ports.deliveries, { partnerEvents, webhookEndpoints, clock }, (given) => {
    return new MemoryDeliveries(given.partnerEvents, given.webhookEndpoints, given.clock);
  });
  build(ports.webhookUrls, { publicUrl: ports.publicUrl }, (given) => {
    return new WebhookUrlRules({ isTest: true, ...given });
  });
  bind(ports.eventBodies).toConstantValue(eventBodies);
  bind(ports.answeredRequests).toConstantValue(new MemoryAnsweredRequests());
  bind(ports.readinessRecords).toConstantValue(new MemoryReadinessRecords());
  bind(ports.providerCalls).toConstantValue(new MemoryProviderCalls());
});

/** Gateway, insurer and mail. */
const providersModule = new ContainerModule(({ bind }) => {
  const build = builder(bind);
  const { clock } = memory;

  bind(ports.documents).toConstantValue(new MemoryDocuments());
  bind(ports.documentLinks).toConstantValue(new MemoryDocumentLinks());
  bind(ports.mailer).toConstantValue(new MemoryMailer());
  bind(ports.webhookSender).toConstantValue(new MemoryWebhookSender());

  bind(undelivered).toConstantValue([]);
  build(sandbox, { clock, undelivered }, (given) => {
    const notify = async (event: SandboxEvent): Promise<void> => {
      given.undelivered.push(event);
    };
    const publicUrl = 'https://pay.example';
    return new SandboxGateway({
      ledger: new MemoryRecords(),
      clock: given.clock,
      publicUrl,
      notify,
    });
  });
  build(ports.payments, { sandbox }, (given) => new UnreliablePayments(given.sandbox));
  bind(ports.notices).toConstantValue(new MemoryNotices());
  build(ports.noticeReader, { clock }, (given) => new SandboxNotices(NOTICE_SECRET, given.clock));
  build(ports.issuer, { clock }, (given) => {
    const [files, numbers] = [new MemoryRecords<LocalFile>(), new MemoryRecords<number>()];
    return new UnreliableIssuer(new LocalIssuer({ files, numbers, clock: given.clock }));
  });
});

const NOTICE_SECRET = 'known to the sandbox in memory';

const runJobs = async (parts: MemoryService): Promise<void> => {
  const { clock, undelivered: events, notices, sales, mailings } = parts;

  const { receive, process } = parts.useCases.takeNotices;
  for (const [index, event] of events.splice(0).entries()) {
    const id = `${event.event}-${event.chargeId}-${clock.now()}-${index}`;
    const { headers, body } = signNotice(id, event, NOTICE_SECRET, clock.now());
    await receive(headers, body);
  }
  for (const id of notices.due.splice(0)) if ((await process(id)) === 'later') notices.due.push(id);

  for (const id of new Set(sales.due.splice(0))) {
    const advanced = await parts.useCases.advanceSale.claimed(id);
    if (advanced === 'busy' || (advanced !== 'unknown_sale' && advanced.kind !== 'settled'))
      sales.due.push(id);
  }

  const { send, giveUp } = parts.useCases.mailInsured;
  for (const name of mailings.due.splice(0)) {
    const outcome = await send(name);
    if (outcome.kind === 'refused') await giveUp(name, outcome.reason);
    if (outcome.kind === 'later') mailings.due.push(name);
  }
  await parts.noteAlerts.flush();
};
