import type { KeyObject } from 'node:crypto';
import type { PdfDocuments } from '../adapters/documents/pdf-documents.ts';
import type { HttpApp } from '../adapters/http/http-app.ts';
import type { JobContext } from '../adapters/jobs/job-context.ts';
import type { JobQueue } from '../adapters/jobs/queue.ts';
import type { FileMailer } from '../adapters/mail/file-mailer.ts';
import type { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import type { ServiceMetrics } from '../adapters/metrics/service-metrics.ts';
import type { Database } from '../adapters/persistence/database.ts';
import type { DatabaseMailings } from '../adapters/persistence/mailings.ts';
import type { DatabasePartnerEvents } from '../adapters/persistence/partner-events.ts';
import type { JwtAccessTokens } from '../adapters/security/jwt-access-tokens.ts';
import type { NoteAlerts } from '../application/alerts/note-alerts.ts';
import type { ObserveCall } from '../application/providers/observe-providers.ts';
import type { QuoteSecrets } from '../application/terms/quote-seal.ts';
import type { WebhookSender } from '../application/webhooks/webhook-sender.ts';
import type { Config } from './config.ts';
import type { HttpService } from './http.ts';

/** `close` ends the connections that are kept. */
export interface ClosableSender extends WebhookSender {
  close(): void | Promise<void>;
}

/** The parts of a running service: ports and use-cases, and what only bootstrap needs. */
export interface Service extends HttpService {
  readonly database: Database;
  readonly jobContext: JobContext;
  readonly jobs: JobQueue;
  readonly noteAlerts: NoteAlerts;
  readonly signingKey: KeyObject;
  readonly secretsKey: KeyObject;
  readonly quoteSecrets: QuoteSecrets;
  readonly accessTokens: JwtAccessTokens;
  readonly documents: PdfDocuments;
  readonly mailer: SmtpMailer | FileMailer;
  readonly mailings: DatabaseMailings;
  readonly webhookSender: ClosableSender;
  /** Undefined if metrics are switched off. */
  readonly metrics: ServiceMetrics | undefined;
  /** Reads the metrics of all processes. Undefined if metrics are switched off. */
  readonly readAllMetrics: (() => Promise<string>) | undefined;
  /** Observes the calls of gateway and insurer. */
  readonly observeCall: ObserveCall;
  readonly partnerEvents: DatabasePartnerEvents;
  readonly httpApp: HttpApp;
}

export type ServiceConfig = Config & { readonly publicUrl: string };
