import type { Logger } from 'pino';
import { MailAlertSender } from '../adapters/alerts/mail-alert-sender.ts';
import { WebhookAlertSender } from '../adapters/alerts/webhook-alert-sender.ts';
import { PdfDocuments } from '../adapters/documents/pdf-documents.ts';
import { eventBodies } from '../adapters/http/events/event-body.ts';
import { FileMailer } from '../adapters/mail/file-mailer.ts';
import { SmtpMailer } from '../adapters/mail/smtp-mailer.ts';
import { ServiceMetrics } from '../adapters/metrics/service-metrics.ts';
import type { Database } from '../adapters/persistence/database.ts';
import { CryptoSecrets } from '../adapters/security/crypto-secrets.ts';
import { JwsEvidenceSeal } from '../adapters/security/jws-evidence-seal.ts';
import { JwtAccessTokens } from '../adapters/security/jwt-access-tokens.ts';
import { createKeyedHash, deriveSecret } from '../adapters/security/keyed-hash.ts';
import { PublishedKeySet } from '../adapters/security/published-key-set.ts';
import { UlidIdentifiers } from '../adapters/security/randomness.ts';
import { SealedQuotes } from '../adapters/security/sealed-quotes.ts';
import { loadOrCreateSecretsKey } from '../adapters/security/secrets-key.ts';
import { SignedDocumentLinks } from '../adapters/security/signed-document-links.ts';
import { loadOrCreateSigningKey } from '../adapters/security/signing-key.ts';
import { AesSecretSeal } from '../adapters/security/webhook-secret-seal.ts';
import { LoggedAlerts } from '../adapters/system/alert-log.ts';
import { SystemClock } from '../adapters/system/clock.ts';
import { currentRequestId } from '../adapters/system/request-context.ts';
import type { Tracing } from '../adapters/tracing/tracing.ts';
import { isLocal, WebhookUrlRules } from '../adapters/webhooks/webhook-urls.ts';
import { makeNoteAlerts } from '../application/alerts/note-alerts.ts';
import { makeNoteProviderCalls } from '../application/providers/note-provider-calls.ts';
import { observeByAll } from '../application/providers/observe-providers.ts';
import type { Config } from './config.ts';
import { composeHttp } from './http.ts';
import { makeReadFigures, makeReadMetrics } from './metrics.ts';
import type { ClosableSender, Service, ServiceConfig } from './parts.ts';
import { pickPorts } from './ports.ts';
import { bindGateway, bindIssuer } from './providers.ts';
import { Registry } from './registry.ts';
import { bindStores } from './stores.ts';
import { makeUseCases } from './use-cases.ts';
import { makeJobContext, runRequest, runTracedRequest } from './work-context.ts';

/**
 * Composes the service from its real adapters, in the order in which they need each other.
 *
 * @param tracing absent where nothing is traced
 */
export const composeService = (
  config: ServiceConfig,
  database: Database,
  log: Logger,
  tracing?: Tracing,
): Service => {
  const registry = new Registry<Service>()
    .bind('log', () => log)
    .bind('runRequest', (parts) =>
      tracing
        ? runTracedRequest(tracing, (token) => parts.useCases.authenticate(token))
        : runRequest,
    )
    .bind('jobContext', () => makeJobContext(tracing))
    .bind('publicUrl', () => config.publicUrl)
    .bind('trustProxy', () => config.trustProxy)
    .bind('requestsPerMinute', () => config.rateLimit)
    .bind('keepsReadiness', () => config.environment === 'test')
    .bind('environment', () => config.environment)
    .bind('refusesUnknown', () => config.environment === 'test')
    .bind('clock', () => new SystemClock())
    .bind('chance', () => Math.random)
    .bind('identifiers', () => new UlidIdentifiers())
    .bind('currentRequestId', () => currentRequestId)
    .bind('noteAlerts', (parts) => makeNoteAlerts(parts))
    .bind('alerts', ({ noteAlerts, metrics }) => {
      return new LoggedAlerts(metrics?.countAlerts(log) ?? log, noteAlerts);
    });

  bindMetrics(registry, config);
  bindStores(registry, config, { database, tracing });
  bindSecurity(registry, config);
  bindGateway(registry, config);
  bindIssuer(registry, config);
  bindCertificates(registry, config);
  bindWebhooks(registry, config);
  bindAlertSenders(registry, config);

  return registry
    .bind('noteProviderCalls', (parts) => makeNoteProviderCalls(parts))
    .bind('observeCall', ({ noteProviderCalls, metrics }) => {
      const observers = [tracing?.observeCall, metrics?.observeCall, noteProviderCalls.observe];
      return observeByAll(observers.filter((each) => each !== undefined));
    })
    .bind('useCases', (parts) => makeUseCases(pickPorts(parts)))
    .bind('httpApp', (parts) => composeHttp(parts)).parts;
};

/** What is measured, and how it is read. */
const bindMetrics = (
  registry: Registry<Service>,
  { hasMetrics, metricsPort }: ServiceConfig,
): void => {
  registry
    .bind('metrics', () => (hasMetrics ? new ServiceMetrics() : undefined))
    .bind('observeRequest', ({ metrics }) => metrics?.observeRequest)
    .bind('readAllMetrics', ({ metrics, database }) => {
      return metrics && makeReadMetrics(makeReadFigures(metrics, database));
    })
    // On a port of their own they need no login, and are not on this one.
    .bind('readMetrics', ({ readAllMetrics }) => {
      return metricsPort === undefined ? readAllMetrics : undefined;
    });
};

const bindSecurity = (registry: Registry<Service>, config: ServiceConfig): void => {
  const { publicUrl: issuer, previousKeys } = config;

  registry
    .bind('secrets', () => new CryptoSecrets())
    .bind('webhookUrls', () => {
      const isTest = config.environment === 'test';
      const allowsLoopback = mayReachLoopback(config);
      return new WebhookUrlRules({ isTest, allowsLoopback, publicUrl: issuer });
    })
    .bind('secretsKey', () => config.secretsKey ?? loadOrCreateSecretsKey(config.dataFolder))
    .bind('secretSeal', ({ secretsKey }) => {
      return new AesSecretSeal(secretsKey, config.previousSecretsKeys);
    })
    .bind('signingKey', () => config.signingKey ?? loadOrCreateSigningKey(config.dataFolder))
    .bind('fingerprint', ({ secretsKey }) => createKeyedHash(deriveSecret('cards', secretsKey)))
    .bind('accessTokens', ({ signingKey, clock }) => {
      const keys = { signingKey, previousKeys };
      return new JwtAccessTokens({ ...keys, issuer, audience: `${issuer}/api` }, clock);
    })
    .bind('evidenceSeal', ({ signingKey, evidenceKeys: keys, clock }) => {
      return new JwsEvidenceSeal({ signingKey, issuer, keys, clock });
    })
    .bind('quoteSeal', ({ quoteSecrets, clock }) => new SealedQuotes(quoteSecrets, clock))
    .bind('keySet', ({ accessTokens, evidenceKeys }) => {
      const published = new PublishedKeySet(accessTokens.publicKeys(), evidenceKeys);
      return () => published.keySet();
    });
};

/** A program on a hosted machine is no partner's: only a local service, or a setting, allows it. */
const mayReachLoopback = ({ environment, webhookLoopback, publicUrl }: ServiceConfig): boolean =>
  environment === 'test' && (webhookLoopback ?? isLocal(publicUrl));

/** How events reach partners. */
const bindWebhooks = (registry: Registry<Service>, config: ServiceConfig): void => {
  registry
    .bind('eventBodies', () => eventBodies)
    .bind('webhookSender', ({ webhookUrls: urls }) => {
      return sendOnDemand(async () => {
        const { HttpWebhookSender } = await import('../adapters/webhooks/http-webhook-sender.ts');
        return new HttpWebhookSender({ urls, allowsLoopback: mayReachLoopback(config) });
      });
    });
};

/** Loads the sender with the first webhook: its libraries take 15 MB, and many services send none. */
const sendOnDemand = (load: () => Promise<ClosableSender>): ClosableSender => {
  let sender: Promise<ClosableSender> | undefined;
  return {
    send: async (message) => {
      sender ??= load();
      return (await sender).send(message);
    },
    close: async () => (await sender)?.close(),
  };
};

/** How certificates are made, opened and mailed. */
const bindCertificates = (registry: Registry<Service>, config: Config): void => {
  const { mail, documentLinkTtl } = config;

  registry
    .bind('documents', () => new PdfDocuments())
    .bind('documentLinkSeconds', () => documentLinkTtl)
    .bind('documentLinks', ({ signingKey }) => {
      return new SignedDocumentLinks(deriveSecret('document links', signingKey));
    })
    .bind('mailer', ({ log }) => {
      if (mail.kind === 'smtp') return new SmtpMailer(mail.url, mail.from);
      return new FileMailer(mail.folder, mail.from, (file) => log.info({ file }, 'mail kept'));
    });
};

/** How operators are told of alerts. */
const bindAlertSenders = (registry: Registry<Service>, config: Config): void => {
  const { environment, alertMail, alertWebhook } = config;

  registry.bind('alertSenders', ({ mailer, publicUrl }) => {
    const told = { environment, publicUrl };
    return [
      ...(alertMail.length > 0 ? [new MailAlertSender(mailer, alertMail, told)] : []),
      ...(alertWebhook !== undefined ? [new WebhookAlertSender(alertWebhook, told)] : []),
    ];
  });
};

/** Ends the threads and connections that adapters hold, the database's excepted. */
export const releaseAdapters = async ({
  documents,
  mailer,
  webhookSender,
}: Service): Promise<void> => {
  await webhookSender.close();
  if (mailer instanceof SmtpMailer) await mailer.close();
  await documents.close();
};
