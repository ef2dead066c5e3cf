import { type CertifiedSale, emailOf, isCertified } from '#domain';
import { fileNameOf } from '../certificates/certificate.ts';
import type { ComposeCertificate } from '../certificates/compose-certificate.ts';
import { referenceOf } from '../payments/payments.ts';
import type { Ports } from '../ports.ts';
import { type MailingName, occasionOf } from './mailings.ts';

type Needs = Pick<Ports, 'mailings' | 'sales' | 'documents' | 'mailer' | 'clock' | 'alerts'> & {
  readonly composeCertificate: ComposeCertificate;
};

export interface MailCertificate {
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
 * Mails each certificate once. If the process dies between sending and recording it, the mail is
 * sent again under the same reference.
 */
export const makeMailCertificate = (parts: Needs): MailCertificate => {
  const { mailings, sales, composeCertificate, documents, mailer, clock, alerts } = parts;
  const deliver = async (name: MailingName, sale: CertifiedSale) => {
    const certificate = await composeCertificate(sale);
    const document = {
      fileName: fileNameOf(certificate),
      content: await documents.certificate(certificate),
    };
    const reference = `${referenceOf(sale)}-${name.number}`;
    return mailer.send({
      reference,
      occasion: occasionOf(name),
      to: emailOf(sale),
      certificate,
      document,
    });
  };
  /** Whether another address was given while the mail was on its way. */
  const wasCorrected = async (sale: CertifiedSale): Promise<boolean> => {
    const present = await sales.load(sale.id);
    return present !== undefined && emailOf(present) !== emailOf(sale);
  };
  return {
    send: async (name) => {
      const [mailing, sale] = await Promise.all([mailings.find(name), sales.load(name.saleId)]);
      if (mailing?.status !== 'waiting' || sale === undefined) return DONE;
      if (!isCertified(sale)) {
        await mailings.settle(name, 'withdrawn', clock.now());
        return DONE;
      }
      const outcome = await deliver(name, sale);
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
