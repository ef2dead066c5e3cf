import type {
  AlertNotifications,
  AlertSender,
} from '../../application/alerts/alert-notifications.ts';
import type { AlertRecords } from '../../application/alerts/alert-records.ts';
import type { Alerts } from '../../application/alerts/alerts.ts';
import type { GroupView } from '../../application/all-groups/group-view.ts';
import type { ApprovalRequests } from '../../application/approvals/approval-requests.ts';
import type { AuditLog } from '../../application/audit/audit-log.ts';
import type { AttributeSchemas } from '../../application/catalogue/attribute-schemas.ts';
import type { Catalogue } from '../../application/catalogue/catalogue.ts';
import type { Documents } from '../../application/certificates/certificate.ts';
import type { DocumentLinks } from '../../application/certificates/document-links.ts';
import type { Clock, Timers } from '../../application/clock.ts';
import type { Counters } from '../../application/counters.ts';
import type { EventBodies, PartnerEvents } from '../../application/events/partner-events.ts';
import type { EvidenceSeal } from '../../application/evidence/collect-evidence.ts';
import type { EvidenceKeys } from '../../application/evidence/evidence-keys.ts';
import type { Groups } from '../../application/groups/groups.ts';
import type { InGroups } from '../../application/groups/in-groups.ts';
import type { Identifiers } from '../../application/identifiers.ts';
import type { AccessTokens } from '../../application/identity/access-tokens.ts';
import type { Clients } from '../../application/identity/clients.ts';
import type { RefreshTokens } from '../../application/identity/refresh-tokens.ts';
import type { Secrets } from '../../application/identity/secrets.ts';
import type { Issuer } from '../../application/issuance/issuer.ts';
import type { LegalClocks } from '../../application/legal-clocks/legal-clocks.ts';
import type { Mailer } from '../../application/mail/mailer.ts';
import type { Mailings } from '../../application/mail/mailings.ts';
import type { NoticeReader, Notices } from '../../application/payments/notices.ts';
import type { Payments } from '../../application/payments/payments.ts';
import type { People } from '../../application/people/people.ts';
import type { Sessions } from '../../application/people/sessions.ts';
import type { ProviderCalls } from '../../application/providers/provider-calls.ts';
import type { AnsweredRequests } from '../../application/requests/answered-requests.ts';
import type { ReadinessRecords } from '../../application/requests/readiness.ts';
import type { SaleJobs } from '../../application/sales/sale-jobs.ts';
import type { Sales } from '../../application/sales/sales.ts';
import type { SearchIndex } from '../../application/search/search-index.ts';
import type { DeclinedOffers } from '../../application/selling/declined-offers.ts';
import type { QuoteSeal } from '../../application/selling/quote-seal.ts';
import type { BookingTotals } from '../../application/totals/booking-totals.ts';
import type { Deliveries } from '../../application/webhooks/deliveries.ts';
import type { WebhookEndpoints } from '../../application/webhooks/endpoints.ts';
import type { WebhookReplays } from '../../application/webhooks/replays.ts';
import type { SecretSeal, WebhookSender } from '../../application/webhooks/webhook-sender.ts';
import type { WebhookUrls } from '../../application/webhooks/webhook-urls.ts';
import { part } from './part.ts';

/** The ports of the application and its settings: every name at which a fake can stand. */

export const clock = part<Clock>('clock');
/** A random number, at least 0 and less than 1. Not for secrets. */
export const chance = part<() => number>('chance');
export const identifiers = part<Identifiers>('identifiers');
/** The id of the request or job whose work this is; undefined outside of any. */
export const currentRequestId = part<() => string | undefined>('currentRequestId');
export const alerts = part<Alerts>('alerts');
export const alertRecords = part<AlertRecords>('alertRecords');
export const alertNotifications = part<AlertNotifications>('alertNotifications');
/** One for each way in which operators want to be told. */
export const alertSenders = part<readonly AlertSender[]>('alertSenders');

export const sales = part<Sales>('sales');
export const saleJobs = part<SaleJobs>('saleJobs');
export const legalClocks = part<LegalClocks>('legalClocks');
export const catalogue = part<Catalogue>('catalogue');
/** What administrators look at, in each group of channels. */
export const groupViews = part<InGroups<GroupView>>('groupViews');
/** Which channel is in which group. */
export const groups = part<Groups>('groups');
export const attributeSchemas = part<AttributeSchemas>('attributeSchemas');
export const quoteSeal = part<QuoteSeal>('quoteSeal');

/** One for each gateway whose settings are there. */
export const payments = part<Payments>('payments');
/** The name of the gateway of new charges, where their channel has none of its own. */
export const defaultGateway = part<string>('defaultGateway');
export const notices = part<Notices>('notices');
export const noticeReader = part<NoticeReader>('noticeReader');
export const issuer = part<Issuer>('issuer');
export const providerCalls = part<ProviderCalls>('providerCalls');

export const clients = part<Clients>('clients');
export const secrets = part<Secrets>('secrets');
export const accessTokens = part<AccessTokens>('accessTokens');
export const refreshTokens = part<RefreshTokens>('refreshTokens');
export const counters = part<Counters>('counters');
export const auditLog = part<AuditLog>('auditLog');

export const people = part<People>('people');
export const sessions = part<Sessions>('sessions');

export const approvalRequests = part<ApprovalRequests>('approvalRequests');

export const searchIndex = part<SearchIndex>('searchIndex');
export const bookingTotals = part<BookingTotals>('bookingTotals');

export const documents = part<Documents>('documents');
export const documentLinks = part<DocumentLinks>('documentLinks');
export const mailer = part<Mailer>('mailer');
export const mailings = part<Mailings>('mailings');

export const partnerEvents = part<PartnerEvents>('partnerEvents');
export const webhookEndpoints = part<WebhookEndpoints>('webhookEndpoints');
export const webhookReplays = part<WebhookReplays>('webhookReplays');
export const webhookUrls = part<WebhookUrls>('webhookUrls');
export const secretSeal = part<SecretSeal>('secretSeal');
export const webhookSender = part<WebhookSender>('webhookSender');
export const eventBodies = part<EventBodies>('eventBodies');
export const deliveries = part<Deliveries>('deliveries');

export const answeredRequests = part<AnsweredRequests>('answeredRequests');
export const declinedOffers = part<DeclinedOffers>('declinedOffers');
export const readinessRecords = part<ReadinessRecords>('readinessRecords');

export const evidenceKeys = part<EvidenceKeys>('evidenceKeys');
export const evidenceSeal = part<EvidenceSeal>('evidenceSeal');

/** Public address of the service, without `/api`. */
export const publicUrl = part<string>('publicUrl');
/** The same for links that are given out: to documents and payment pages. They name the group. */
export const linkUrl = part<string>('linkUrl');
/** Seconds for which a link to a document works. */
export const documentLinkSeconds = part<number>('documentLinkSeconds');
export const timers = part<Timers>('timers');
export const mailsPerMinute = part<number | undefined>('mailsPerMinute');
/** Limit of requests per minute for one client. */
export const requestsPerMinute = part<number | 'off'>('requestsPerMinute');
/** Whether this is the test environment. */
export const isTest = part<boolean>('isTest');
