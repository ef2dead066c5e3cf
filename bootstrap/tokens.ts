import type { KeyObject } from 'node:crypto';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { State } from '../adapters/http/context.ts';
import type { TrustProxy } from '../adapters/http/request.ts';
import type { Fingerprint } from '../adapters/http/sales/idempotency.ts';
import type { JobQueue } from '../adapters/jobs/queue.ts';
import type { SandboxGateway } from '../adapters/payment/sandbox/sandbox-gateway.ts';
import type { Database } from '../adapters/persistence/database.ts';
import type { Alerts } from '../application/alerts.ts';
import type { AuditLog } from '../application/audit/audit-log.ts';
import type { AttributeSchemas } from '../application/catalogue/attribute-schemas.ts';
import type { Catalogue } from '../application/catalogue/catalogue.ts';
import type { ManageCatalogue } from '../application/catalogue/manage-catalogue.ts';
import type { ReadProduct } from '../application/catalogue/read-product.ts';
import type { ComposeCertificate } from '../application/certificates/certificate.ts';
import type { DocumentLinks, DocumentUrl } from '../application/certificates/document-links.ts';
import type { Documents } from '../application/certificates/documents.ts';
import type { OpenDocument } from '../application/certificates/open-document.ts';
import type { VerifyCertificate } from '../application/certificates/verify-certificate.ts';
import type { Clock } from '../application/clock.ts';
import type { Counters } from '../application/counters.ts';
import type { Identifiers } from '../application/identifiers.ts';
import type { AccessTokens } from '../application/identity/access-tokens.ts';
import type { Authenticate, FindLivingToken } from '../application/identity/authenticate.ts';
import type { CheckCredentials } from '../application/identity/check-credentials.ts';
import type { Clients } from '../application/identity/clients.ts';
import type { InspectTokens } from '../application/identity/inspect-tokens.ts';
import type { LogIn } from '../application/identity/log-in.ts';
import type { ManageClients } from '../application/identity/manage-clients.ts';
import type { RefreshLogin } from '../application/identity/refresh-login.ts';
import type { RefreshTokens } from '../application/identity/refresh-tokens.ts';
import type { Secrets } from '../application/identity/secrets.ts';
import type { TokenRefusals } from '../application/identity/token-refusals.ts';
import type { Issuer } from '../application/issuance/issuer.ts';
import type { MailCertificate } from '../application/mail/mail-certificate.ts';
import type { Mailer } from '../application/mail/mailer.ts';
import type { Mailings } from '../application/mail/mailings.ts';
import type { RequestSecondCopy } from '../application/mail/request-second-copy.ts';
import type { RetryMailing } from '../application/mail/retry-mailing.ts';
import type { NoticeReader, Notices } from '../application/payments/notices.ts';
import type { Payments } from '../application/payments/payments.ts';
import type { TakeNotices } from '../application/payments/take-notices.ts';
import type { AdvanceSale } from '../application/sales/advance-sale.ts';
import type { AgreeTerms } from '../application/sales/agree-terms.ts';
import type { CancelSale } from '../application/sales/cancel-sale.ts';
import type { ChannelStatement } from '../application/sales/channel-statement.ts';
import type { ExamineSale } from '../application/sales/examine-sale.ts';
import type { RegisterSale } from '../application/sales/register-sale.ts';
import type { Sales } from '../application/sales/sales.ts';
import type { Sell } from '../application/sales/sell.ts';
import type { SynchronizeSale } from '../application/sales/synchronize-sale.ts';
import type { ValidateSale } from '../application/sales/validate-sale.ts';
import { Token } from './token.ts';

/** The ports. */
export const CLOCK = new Token<Clock>('Clock');
export const IDENTIFIERS = new Token<Identifiers>('Identifiers');
export const SALES = new Token<Sales>('Sales');
export const ATTRIBUTE_SCHEMAS = new Token<AttributeSchemas>('AttributeSchemas');
export const CATALOGUE = new Token<Catalogue>('Catalogue');
export const CLIENTS = new Token<Clients>('Clients');
export const REFRESH_TOKENS = new Token<RefreshTokens>('RefreshTokens');
export const ACCESS_TOKENS = new Token<AccessTokens>('AccessTokens');
export const SECRETS = new Token<Secrets>('Secrets');
export const AUDIT_LOG = new Token<AuditLog>('AuditLog');
export const COUNTERS = new Token<Counters>('Counters');
export const PAYMENTS = new Token<Payments>('Payments');
export const NOTICE_READER = new Token<NoticeReader>('NoticeReader');
export const NOTICES = new Token<Notices>('Notices');
export const ISSUER = new Token<Issuer>('Issuer');
export const ALERTS = new Token<Alerts>('Alerts');
export const DOCUMENTS = new Token<Documents>('Documents');
export const DOCUMENT_LINKS = new Token<DocumentLinks>('DocumentLinks');
export const MAILER = new Token<Mailer>('Mailer');
export const MAILINGS = new Token<Mailings>('Mailings');

/** The use-cases. */
export const EXAMINE_SALE = new Token<ExamineSale>('ExamineSale');
export const AGREE_TERMS = new Token<AgreeTerms>('AgreeTerms');
export const VALIDATE_SALE = new Token<ValidateSale>('ValidateSale');
export const CHANNEL_STATEMENT = new Token<ChannelStatement>('ChannelStatement');
export const READ_PRODUCT = new Token<ReadProduct>('ReadProduct');
export const REGISTER_SALE = new Token<RegisterSale>('RegisterSale');
export const ADVANCE_SALE = new Token<AdvanceSale>('AdvanceSale');
export const SELL = new Token<Sell>('Sell');
export const SYNCHRONIZE_SALE = new Token<SynchronizeSale>('SynchronizeSale');
export const CANCEL_SALE = new Token<CancelSale>('CancelSale');
export const TAKE_NOTICES = new Token<TakeNotices>('TakeNotices');
export const COMPOSE_CERTIFICATE = new Token<ComposeCertificate>('ComposeCertificate');
export const DOCUMENT_URL = new Token<DocumentUrl>('DocumentUrl');
export const OPEN_DOCUMENT = new Token<OpenDocument>('OpenDocument');
export const VERIFY_CERTIFICATE = new Token<VerifyCertificate>('VerifyCertificate');
export const MAIL_CERTIFICATE = new Token<MailCertificate>('MailCertificate');
export const REQUEST_SECOND_COPY = new Token<RequestSecondCopy>('RequestSecondCopy');
export const RETRY_MAILING = new Token<RetryMailing>('RetryMailing');
export const LOG_IN = new Token<LogIn>('LogIn');
export const REFRESH_LOGIN = new Token<RefreshLogin>('RefreshLogin');
export const TOKEN_REFUSALS = new Token<TokenRefusals>('TokenRefusals');
export const CHECK_CREDENTIALS = new Token<CheckCredentials>('CheckCredentials');
export const INSPECT_TOKENS = new Token<InspectTokens>('InspectTokens');
export const FIND_LIVING_TOKEN = new Token<FindLivingToken>('FindLivingToken');
export const AUTHENTICATE = new Token<Authenticate>('Authenticate');
export const MANAGE_CLIENTS = new Token<ManageClients>('ManageClients');
export const MANAGE_CATALOGUE = new Token<ManageCatalogue>('ManageCatalogue');

/** What the outside brings. */
export const DATABASE = new Token<Database>('Database');
/** The gateway that the service plays itself; absent where there is a real one. */
export const SANDBOX = new Token<SandboxGateway | undefined>('SandboxGateway');
export const JOBS = new Token<JobQueue>('JobQueue');
export const SIGNING_KEY = new Token<KeyObject>('SigningKey');
export const FINGERPRINT = new Token<Fingerprint>('Fingerprint');
export const LOG = new Token<Logger>('Log');
/** Requests of one client. */
export const PER_MINUTE = new Token<number | 'off'>('PerMinute');
export const TRUST_PROXY = new Token<TrustProxy>('TrustProxy');
/** The public keys of the access tokens, as a JWK set. */
export const KEY_SET = new Token<() => object>('KeySet');
/** The public address, without `/api`: what tokens name as their issuer. */
export const PUBLIC_URL = new Token<string>('PublicUrl');
/** Seconds for which a link to a document works. */
export const DOCUMENT_LINK_TTL = new Token<number>('DocumentLinkTtl');
/** Hands what waits to be mailed over to the jobs, so many mails at most. */
export const HAND_OVER_MAIL = new Token<(most: number) => Promise<void>>('HandOverMail');
/** Lets go of the threads and connections that adapters hold. */
export const RELEASE = new Token<() => Promise<void>>('Release');
export const CHECK_READY = new Token<() => Promise<void>>('CheckReady');
export const HTTP_APP = new Token<Koa<State>>('HttpApp');
