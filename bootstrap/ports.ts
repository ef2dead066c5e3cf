import type { AlertRecords } from '../application/alerts/alert-records.ts';
import type { AlertSender, AlertTellings } from '../application/alerts/alert-tellings.ts';
import type { Alerts } from '../application/alerts/alerts.ts';
import type { AuditLog } from '../application/audit/audit-log.ts';
import type { AttributeSchemas } from '../application/catalogue/attribute-schemas.ts';
import type { Catalogue } from '../application/catalogue/catalogue.ts';
import type { Documents } from '../application/certificates/certificate.ts';
import type { DocumentLinks } from '../application/certificates/document-links.ts';
import type { Clock } from '../application/clock.ts';
import type { Counters } from '../application/counters.ts';
import type { EventBodies } from '../application/events/event-bodies.ts';
import type { PartnerEvents } from '../application/events/partner-events.ts';
import type { EvidenceKeys } from '../application/evidence/evidence-keys.ts';
import type { EvidenceSeal } from '../application/evidence/evidence-seal.ts';
import type { Identifiers } from '../application/identifiers.ts';
import type { AccessTokens } from '../application/identity/access-tokens.ts';
import type { Clients } from '../application/identity/clients.ts';
import type { RefreshTokens } from '../application/identity/refresh-tokens.ts';
import type { Secrets } from '../application/identity/secrets.ts';
import type { Issuer } from '../application/issuance/issuer.ts';
import type { LegalClocks } from '../application/legal-clocks/legal-clocks.ts';
import type { Mailer } from '../application/mail/mailer.ts';
import type { Mailings } from '../application/mail/mailings.ts';
import type { NoticeReader, Notices } from '../application/payments/notices.ts';
import type { Payments } from '../application/payments/payments.ts';
import type { NoteProviderCalls, ProviderCalls } from '../application/providers/provider-calls.ts';
import type { AnsweredRequests } from '../application/requests/answered-requests.ts';
import type { ReadinessRecords } from '../application/requests/readiness.ts';
import type { SaleJobs } from '../application/sales/sale-jobs.ts';
import type { Sales } from '../application/sales/sales.ts';
import type { QuoteSeal } from '../application/terms/quote-seal.ts';
import type { Deliveries } from '../application/webhooks/deliveries.ts';
import type { WebhookEndpoints } from '../application/webhooks/endpoints.ts';
import type { WebhookReplays } from '../application/webhooks/replays.ts';
import type { SecretSeal, WebhookSender } from '../application/webhooks/webhook-sender.ts';
import type { WebhookUrls } from '../application/webhooks/webhook-urls.ts';

/** What the use-cases need from outside. A use-case names the ports it needs: `Pick<Ports, …>`. */
export interface Ports {
  readonly clock: Clock;
  /** A random number, at least 0 and less than 1. Not for secrets. */
  readonly chance: () => number;
  readonly identifiers: Identifiers;
  /** The id of the request or job whose work this is; undefined outside of any. */
  readonly currentRequestId: () => string | undefined;
  readonly alerts: Alerts;
  readonly alertRecords: AlertRecords;
  readonly alertTellings: AlertTellings;
  /** One for each way in which operators want to be told. */
  readonly alertSenders: readonly AlertSender[];

  readonly sales: Sales;
  readonly saleJobs: SaleJobs;
  readonly legalClocks: LegalClocks;
  readonly catalogue: Catalogue;
  readonly attributeSchemas: AttributeSchemas;
  readonly quoteSeal: QuoteSeal;

  readonly payments: Payments;
  readonly notices: Notices;
  readonly noticeReader: NoticeReader;
  readonly issuer: Issuer;
  readonly providerCalls: ProviderCalls;
  /** Not a port: shared with the observers of gateway and insurer. */
  readonly noteProviderCalls: NoteProviderCalls;

  readonly clients: Clients;
  readonly secrets: Secrets;
  readonly accessTokens: AccessTokens;
  readonly refreshTokens: RefreshTokens;
  readonly counters: Counters;
  readonly auditLog: AuditLog;

  readonly documents: Documents;
  readonly documentLinks: DocumentLinks;
  readonly mailer: Mailer;
  readonly mailings: Mailings;

  readonly partnerEvents: PartnerEvents;
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookReplays: WebhookReplays;
  readonly webhookUrls: WebhookUrls;
  readonly secretSeal: SecretSeal;
  readonly webhookSender: WebhookSender;
  readonly eventBodies: EventBodies;
  readonly deliveries: Deliveries;

  readonly answeredRequests: AnsweredRequests;
  readonly readinessRecords: ReadinessRecords;

  readonly evidenceKeys: EvidenceKeys;
  readonly evidenceSeal: EvidenceSeal;

  /** Public address of the service, without `/api`. */
  readonly publicUrl: string;
  /** Seconds for which a link to a document works. */
  readonly documentLinkSeconds: number;
  /** Limit of requests per minute for one client. */
  readonly requestsPerMinute: number | 'off';
  /** Whether partners are shown what they have tried: in the test environment. */
  readonly keepsReadiness: boolean;
}

/** The compiler checks that no port is missing. */
const PORT_NAMES: Readonly<Record<keyof Ports, true>> = {
  clock: true,
  chance: true,
  identifiers: true,
  currentRequestId: true,
  alerts: true,
  alertRecords: true,
  alertTellings: true,
  alertSenders: true,
  sales: true,
  saleJobs: true,
  legalClocks: true,
  catalogue: true,
  attributeSchemas: true,
  quoteSeal: true,
  payments: true,
  notices: true,
  noticeReader: true,
  issuer: true,
  providerCalls: true,
  noteProviderCalls: true,
  clients: true,
  secrets: true,
  accessTokens: true,
  refreshTokens: true,
  counters: true,
  auditLog: true,
  documents: true,
  documentLinks: true,
  mailer: true,
  mailings: true,
  partnerEvents: true,
  webhookEndpoints: true,
  webhookReplays: true,
  webhookUrls: true,
  secretSeal: true,
  webhookSender: true,
  eventBodies: true,
  deliveries: true,
  answeredRequests: true,
  readinessRecords: true,
  evidenceKeys: true,
  evidenceSeal: true,
  publicUrl: true,
  documentLinkSeconds: true,
  requestsPerMinute: true,
  keepsReadiness: true,
};

/** Only the ports among the parts of a service. */
export const pickPorts = (parts: Ports): Ports => {
  const names = Object.keys(PORT_NAMES) as (keyof Ports)[];
  return Object.fromEntries(names.map((name) => [name, parts[name]])) as unknown as Ports;
};
