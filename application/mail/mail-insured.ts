import { type CertifiedSale, emailOf, isCancelled, isCertified, type Sale } from '#domain';
import type { Alerts } from '../alerts/alerts.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Documents, fileNameOf } from '../certificates/certificate.ts';
import type { ComposeCertificate } from '../certificates/compose-certificate.ts';
import type { Clock } from '../clock.ts';
import { type MailingName, mailingId, occasionOf } from '../mailing-name.ts';
import { referenceOf } from '../payments/payments.ts';
import type { Sales } from '../sales/sales.ts';
import { makeComposeAccountRequest } from './account-request.ts';
import { makeComposeCancellationNotice } from './compose-cancellation-notice.ts';
import type { CertificateMail, Mail, Mailer } from './mailer.ts';
import type { Mailings } from './mailings.ts';

interface Needs {
  readonly catalogue: Catalogue;
  readonly mailings: Mailings;
  readonly sales: Sales;
  readonly documents: Documents;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly alerts: Alerts;
  readonly composeCertificate: ComposeCertificate;
}

export interface MailInsured {
  /**
   * Sends a waiting mail. `refused`: the server will never accept it. `later`: not accepted now.
   */
  send(
    name: MailingName,
  ): Promise<
    { readonly kind: 'done' } | { readonly kind: 'refused' | 'later'; readonly reason: string }
  >;
  /** Stops trying and raises an alert. */
  giveUp(name: MailingName, reason: string): Promise<void>;
}

const DONE = { kind: 'done' } as const;

/**
 * Mails each certificate, each notice of a cancellation and each request for an account once. If the process dies between
 * sending and recording it, the mail is sent again under the same reference.
 */
export const makeMailInsured = (parts: Needs): MailInsured => {
  const { mailings, sales, documents, mailer, clock, alerts, composeCertificate } = parts;
  const composeCancellationNotice = makeComposeCancellationNotice(parts);
  const composeAccountRequest = makeComposeAccountRequest(parts);

  const certificateFor = async (
    sale: CertifiedSale,
  ): Promise<Pick<CertificateMail, 'certificate' | 'document'>> => {
    const certificate = await composeCertificate(sale);
    const content = await documents.certificate(certificate);
    return { certificate, document: { fileName: fileNameOf(certificate), content } };
  };

  /** Undefined if the sale has left the state that the mail tells of. */
  const composeMail = async (name: MailingName, sale: Sale): Promise<Mail | undefined> => {
    const occasion = occasionOf(name);
    const place = mailingId(name).slice(`${name.saleId}-`.length);
    const addressed = { reference: `${referenceOf(sale)}-${place}`, to: emailOf(sale) };
    if (occasion === 'refund_account') {
      const request = await composeAccountRequest(sale);
      return request && { ...addressed, occasion, request };
    }
    if (occasion === 'cancellation') {
      if (!isCancelled(sale)) return undefined;
      return { ...addressed, occasion, notice: await composeCancellationNotice(sale) };
    }
    return isCertified(sale)
      ? { ...addressed, occasion, ...(await certificateFor(sale)) }
      : undefined;
  };

  /** Whether another address was given while the mail was on its way. */
  const wasCorrected = async (sale: Sale): Promise<boolean> => {
    const present = await sales.load(sale.id);
    return present !== undefined && emailOf(present) !== emailOf(sale);
  };

  return {
    send: async (name) => {
      const [mailing, sale] = await Promise.all([mailings.find(name), sales.load(name.saleId)]);
      if (mailing?.status !== 'waiting' || sale === undefined) return DONE;
      const mail = await composeMail(name, sale);
      if (mail === undefined) {
        await mailings.settle(name, 'withdrawn', clock.now());
        return DONE;
      }
      const outcome = await mailer.send(mail);
      if (outcome.kind !== 'sent') {
        await mailings.noteFailure(name, outcome.reason);
        const isFinal = outcome.kind === 'refused' && !(await wasCorrected(sale));
        return { kind: isFinal ? 'refused' : 'later', reason: outcome.reason };
      }
      await mailings.settle(name, 'sent', clock.now());
      return DONE;
    },
    giveUp: async (name, reason) => {
      const mailing = await mailings.find(name);
      if (mailing?.status !== 'waiting') return;
      await mailings.settle(name, 'undelivered', clock.now(), reason);
      alerts.raise({ kind: 'mail_undelivered', ...name, reason });
    },
  };
};
