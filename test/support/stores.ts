import { JobQueue } from '../../adapters/jobs/queue.ts';
import { MemoryAlertRecords } from '../../adapters/memory/alerts.ts';
import { MemoryAuditLog } from '../../adapters/memory/audit-log.ts';
import { MemoryCatalogue } from '../../adapters/memory/catalogue.ts';
import { MemoryClients } from '../../adapters/memory/clients.ts';
import { MemoryEvidenceKeys } from '../../adapters/memory/evidence.ts';
import { MemoryLegalClocks } from '../../adapters/memory/legal-clocks.ts';
import { MemoryMailings } from '../../adapters/memory/mailings.ts';
import { MemoryPartnerEvents } from '../../adapters/memory/partner-events.ts';
import { MemoryProviderCalls } from '../../adapters/memory/provider-calls.ts';
import { MemoryNotices, MemoryRecords } from '../../adapters/memory/providers.ts';
import { MemoryQuoteSecrets } from '../../adapters/memory/quotes.ts';
import { MemoryRefreshTokens } from '../../adapters/memory/refresh-tokens.ts';
import { MemoryAnsweredRequests, MemoryReadinessRecords } from '../../adapters/memory/requests.ts';
import { MemorySaleJobs } from '../../adapters/memory/sale-jobs.ts';
import { MemorySales } from '../../adapters/memory/sales.ts';
import { MemoryDeliveries } from '../../adapters/memory/webhook-deliveries.ts';
import { MemoryWebhookEndpoints } from '../../adapters/memory/webhook-endpoints.ts';
import { MemoryWebhookReplays } from '../../adapters/memory/webhook-replays.ts';
import {
  DatabaseAlertRecords,
  DatabaseAlertTellings,
} from '../../adapters/persistence/alert-records.ts';
import { DatabaseAnsweredRequests } from '../../adapters/persistence/answered-requests.ts';
import { DatabaseAuditLog } from '../../adapters/persistence/audit-log.ts';
import { DatabaseCatalogue } from '../../adapters/persistence/catalogue.ts';
import { DatabaseClients } from '../../adapters/persistence/clients.ts';
import { type Database, openPostgres } from '../../adapters/persistence/database.ts';
import { DatabaseEvidenceKeys } from '../../adapters/persistence/evidence-keys.ts';
import { DatabaseLegalClocks } from '../../adapters/persistence/legal-clocks.ts';
import { DatabaseMailings } from '../../adapters/persistence/mailings.ts';
import { DatabasePartnerEvents } from '../../adapters/persistence/partner-events.ts';
import { DatabaseNotices } from '../../adapters/persistence/payment-notices.ts';
import { DatabaseProviderCalls } from '../../adapters/persistence/provider-calls.ts';
import { DatabaseRecords } from '../../adapters/persistence/provider-records.ts';
import { DatabaseQuoteSecrets } from '../../adapters/persistence/quote-secrets.ts';
import { DatabaseReadinessRecords } from '../../adapters/persistence/readiness-records.ts';
import { DatabaseRefreshTokens } from '../../adapters/persistence/refresh-tokens.ts';
import { DatabaseSaleJobs } from '../../adapters/persistence/sale-jobs.ts';
import { DatabaseSales } from '../../adapters/persistence/sales.ts';
import type { Enqueue } from '../../adapters/persistence/statement.ts';
import { DatabaseDeliveries } from '../../adapters/persistence/webhook-deliveries.ts';
import { DatabaseWebhookEndpoints } from '../../adapters/persistence/webhook-endpoints.ts';
import { DatabaseWebhookReplays } from '../../adapters/persistence/webhook-replays.ts';
import { SystemClock } from '../../adapters/system/clock.ts';
import type { AlertRecords } from '../../application/alerts/alert-records.ts';
import type { AlertTellings } from '../../application/alerts/alert-tellings.ts';
import type { AuditLog } from '../../application/audit/audit-log.ts';
import type { Catalogue } from '../../application/catalogue/catalogue.ts';
import type { PartnerEvents } from '../../application/events/partner-events.ts';
import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';
import type { Clients } from '../../application/identity/clients.ts';
import type { RefreshTokens } from '../../application/identity/refresh-tokens.ts';
import type { LegalClocks } from '../../application/legal-clocks/legal-clocks.ts';
import type { Mailings } from '../../application/mail/mailings.ts';
import type { MailingName } from '../../application/mailing-name.ts';
import type { Notices } from '../../application/payments/notices.ts';
import type { ProviderCalls } from '../../application/providers/provider-calls.ts';
import type { Records } from '../../application/records.ts';
import type { AnsweredRequests } from '../../application/requests/answered-requests.ts';
import type { ReadinessRecords } from '../../application/requests/readiness.ts';
import type { SaleJobs } from '../../application/sales/sale-jobs.ts';
import type { Sales } from '../../application/sales/sales.ts';
import type { QuoteSecrets } from '../../application/terms/quote-seal.ts';
import type { Deliveries } from '../../application/webhooks/deliveries.ts';
import type { WebhookEndpoints } from '../../application/webhooks/endpoints.ts';
import type { WebhookReplays } from '../../application/webhooks/replays.ts';
import { openEmptyEmbedded, sharedPostgres } from './shared.ts';

/** Every port that stores something, on one store. */
export interface Store {
  readonly sales: Sales;
  readonly saleJobs: SaleJobs;
  readonly catalogue: Catalogue;
  readonly clients: Clients;
  readonly refreshTokens: RefreshTokens;
  readonly auditLog: AuditLog;
  readonly alertRecords: AlertRecords;
  readonly alertTellings: AlertTellings;
  readonly notices: Notices;
  readonly mailings: Mailings;
  readonly partnerEvents: PartnerEvents;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookReplays: WebhookReplays;
  readonly deliveries: Deliveries;
  readonly answeredRequests: AnsweredRequests;
  readonly readinessRecords: ReadinessRecords;
  readonly providerCalls: ProviderCalls;
  readonly evidenceKeys: EvidenceKeys;
  readonly quoteSecrets: QuoteSecrets;
  readonly legalClocks: LegalClocks;
  records<Content>(book: string): Records<Content>;
  /** The sales and notices in the job queue. */
  due(): Promise<{ readonly sales: readonly number[]; readonly notices: readonly string[] }>;
  /** Gives the new events their places. */
  givePlaces(): Promise<void>;
  /** Hands the waiting mailings over to the job queue. @returns their names */
  handedOver(): Promise<readonly MailingName[]>;
  close(): Promise<void>;
}

const memory = async (): Promise<Store> => {
  const auditLog = new MemoryAuditLog();
  const alertRecords = new MemoryAlertRecords(auditLog);
  const mailings = new MemoryMailings(auditLog);
  const partnerEvents = new MemoryPartnerEvents();
  const webhookEndpoints = new MemoryWebhookEndpoints(auditLog);
  const [sales, notices] = [
    new MemorySales(auditLog, { mailbox: mailings, events: partnerEvents }, new SystemClock()),
    new MemoryNotices(),
  ];
  const kept = new Map<string, MemoryRecords<never>>();
  const books = (book: string) => {
    const found = kept.get(book) ?? new MemoryRecords<never>();
    kept.set(book, found);
    return found;
  };
  return {
    due: async () => ({ sales: [...sales.due], notices: [...notices.due] }),
    handedOver: async () => mailings.due.splice(0),
    sales,
    saleJobs: new MemorySaleJobs(sales, new SystemClock()),
    legalClocks: new MemoryLegalClocks(sales, mailings, alertRecords),
    notices,
    mailings,
    partnerEvents,
    givePlaces: async () => {},
    records: (book) => books(book),
    catalogue: new MemoryCatalogue(auditLog),
    clients: new MemoryClients(auditLog),
    webhookEndpoints,
    webhookReplays: new MemoryWebhookReplays(auditLog),
    deliveries: new MemoryDeliveries(partnerEvents, webhookEndpoints, new SystemClock()),
    answeredRequests: new MemoryAnsweredRequests(),
    readinessRecords: new MemoryReadinessRecords(),
    providerCalls: new MemoryProviderCalls(),
    evidenceKeys: new MemoryEvidenceKeys(auditLog),
    quoteSecrets: new MemoryQuoteSecrets(),
    refreshTokens: new MemoryRefreshTokens(auditLog),
    auditLog,
    alertRecords,
    alertTellings: alertRecords,
    close: async () => {},
  };
};

const onDatabase = async (opening: Promise<Database>): Promise<Store> => {
  const database = await opening;
  await database.migrate();
  const jobs = new JobQueue({ ...database, failed: () => {} });
  await jobs.prepare();
  const enqueue: Enqueue = (...task) => jobs.enqueue(...task);
  const mailings = new DatabaseMailings(database);
  const partnerEvents = new DatabasePartnerEvents(database);
  return {
    sales: new DatabaseSales(database, enqueue),
    saleJobs: new DatabaseSaleJobs(database, enqueue),
    legalClocks: new DatabaseLegalClocks(database),
    notices: new DatabaseNotices(database, enqueue),
    mailings,
    partnerEvents,
    givePlaces: async () => {
      const now = new SystemClock().now();
      while ((await partnerEvents.givePlaces(now)) !== 'done');
    },
    handedOver: async () => {
      const taken: MailingName[] = [];
      await mailings.handOver(1_000, async (names, inside) => {
        taken.push(...names);
        await jobs.enqueueMails(names, inside);
      });
      return taken;
    },
    records: (book) => new DatabaseRecords(database, book),
    due: async () => {
      const { rows } = await database.executor.executeSql(
        `select name, data from jobs.job where state = 'created' order by created_on`,
      );
      const tasks = rows as { name: string; data: { saleId?: number; noticeId?: string } }[];
      return {
        sales: tasks.flatMap(({ data }) => data.saleId ?? []),
        notices: tasks.flatMap(({ data }) => data.noticeId ?? []),
      };
    },
    catalogue: new DatabaseCatalogue(database),
    clients: new DatabaseClients(database),
    webhookEndpoints: new DatabaseWebhookEndpoints(database),
    webhookReplays: new DatabaseWebhookReplays(database),
    deliveries: new DatabaseDeliveries(database),
    answeredRequests: new DatabaseAnsweredRequests(database),
    readinessRecords: new DatabaseReadinessRecords(database),
    providerCalls: new DatabaseProviderCalls(database),
    evidenceKeys: new DatabaseEvidenceKeys(database),
    quoteSecrets: new DatabaseQuoteSecrets(database),
    refreshTokens: new DatabaseRefreshTokens(database),
    auditLog: new DatabaseAuditLog(database),
    alertRecords: new DatabaseAlertRecords(database),
    alertTellings: new DatabaseAlertTellings(database),
    close: async () => {
      await jobs.stop();
      await database.close();
    },
  };
};

export const STORES: Readonly<Record<string, () => Promise<Store>>> = {
  memory,
  PGlite: () => onDatabase(openEmptyEmbedded()),
  PostgreSQL: async () =>
    onDatabase(openPostgres({ url: await sharedPostgres.migratedDatabase(), pool: 10 })),
};

/** Runs a suite on every store, each empty at first. */
export const overEveryStore = (title: string, suite: (store: () => Store) => void): void => {
  for (const [name, open] of Object.entries(STORES)) {
    describe(`${title}, on ${name}`, () => {
      let store: Store | undefined;
      before(async () => {
        store = await open();
      });
      after(() => store?.close());
      suite(() => {
        if (store === undefined) throw new Error('the store is not open');
        return store;
      });
    });
  }
};

/** Max time until an answer fits, ms. No promise: a busy machine may need a hundred times as long. */
const POLL_LIMIT_MS = 120_000;

/**
 * Polls until the answer fits, or for two minutes.
 *
 * @param limitMs shorter only where the answer need not fit
 * @returns the last answer, also if it does not fit
 */
export const within = async <Answer>(
  ask: () => Promise<Answer>,
  fits: (answer: Answer) => boolean,
  limitMs = POLL_LIMIT_MS,
): Promise<Answer> => {
  const began = performance.now();
  for (;;) {
    const answer = await ask();
    const passed = performance.now() - began;
    if (fits(answer) || passed > limitMs) return answer;
    // Rarer the longer it takes: what is waited for needs the processor too.
    await new Promise((resolve) => setTimeout(resolve, Math.min(10 + passed / 20, 100)));
  }
};
