import { ContainerModule } from 'inversify';
import { MailAlertSender, WebhookAlertSender } from '../../adapters/alerts/alert-senders.ts';
import { PdfDocuments } from '../../adapters/documents/pdf-documents.ts';
import { eventBodies } from '../../adapters/http/events/event-body.ts';
import { FileMailer } from '../../adapters/mail/file-mailer.ts';
import { SmtpMailer } from '../../adapters/mail/smtp-mailer.ts';
import { HttpWebhookSender } from '../../adapters/webhooks/http-webhook-sender.ts';
import { isLocal, WebhookUrlRules } from '../../adapters/webhooks/webhook-urls.ts';
import * as own from './infrastructure.ts';
import { builder } from './part.ts';
import * as ports from './ports.ts';
import type { ServiceConfig } from './system.ts';

/** How certificates are made and mailed, and operators told of alerts. */
export const mailModule = (config: ServiceConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const build = builder(bind);
    const { mail, environment, publicUrl, alertMail, alertWebhook } = config;
    const { documents, mailer } = ports;
    const { log, mailServer } = own;

    const isTest = environment === 'test';
    const from = { ...mail.from, isTest };
    bind(documents)
      .toResolvedValue(() => new PdfDocuments(isTest))
      .onDeactivation((made) => (made as PdfDocuments).close());
    if (mail.kind === 'smtp')
      bind(mailServer)
        .toResolvedValue(() => new SmtpMailer(mail.url, from))
        .onDeactivation((made) => (made as SmtpMailer).close());
    else
      build(mailServer, { log }, (given) => {
        const tell = (file: string): void => given.log.info({ file }, 'mail kept');
        return new FileMailer(mail.folder, from, tell);
      });
    build(mailer, { mailServer }, (given) => given.mailServer);
    build(ports.alertSenders, { mailServer }, (given) => {
      const told = { environment, publicUrl };
      return [
        ...(alertMail.length > 0 ? [new MailAlertSender(given.mailServer, alertMail, told)] : []),
        ...(alertWebhook !== undefined ? [new WebhookAlertSender(alertWebhook, told)] : []),
      ];
    });
  });

/** How events reach partners. */
export const webhooksModule = (config: ServiceConfig): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { environment, webhookLoopback, publicUrl } = config;
    const isTest = environment === 'test';
    // A program on a hosted machine is no partner's: only a local service, or a setting, allows it.
    const allowsLoopback = isTest && (webhookLoopback ?? isLocal(publicUrl));
    const urls = new WebhookUrlRules({ isTest, allowsLoopback, publicUrl });

    bind(ports.webhookUrls).toConstantValue(urls);
    bind(ports.eventBodies).toConstantValue(eventBodies);
    bind(ports.webhookSender)
      .toResolvedValue(() => new HttpWebhookSender({ urls, allowsLoopback }))
      .onDeactivation((sender) => (sender as HttpWebhookSender).close());
  });
