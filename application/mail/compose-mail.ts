import {
  type CertifiedSale,
  emailOf,
  type FailedSale,
  isCancelled,
  isCertified,
  isFailed,
  outstandingRefunds,
  protocolOf,
  type Sale,
} from '#domain';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Documents, fileNameOf } from '../certificates/certificate.ts';
import {
  type ComposeCertificate,
  channelNameOf,
  productSold,
} from '../certificates/compose-certificate.ts';
import { type MailingName, mailingId, occasionOf } from '../mailing-name.ts';
import { referenceOf } from '../payments/payments.ts';
import { makeComposeCancellationNotice } from './compose-cancellation-notice.ts';
import { describeFailure, describeMoneyOfFailure } from './failure-words.ts';
import type { AccountRequest, CertificateMail, FailureNotice, Mail } from './mailer.ts';
import type { Mailings } from './mailings.ts';

interface Needs {
  readonly catalogue: Catalogue;
  readonly mailings: Mailings;
  readonly documents: Documents;
  readonly composeCertificate: ComposeCertificate;
}

/** Writes a mail. Undefined if the sale has left the state that the mail tells of. */
export type ComposeMail = (name: MailingName, sale: Sale) => Promise<Mail | undefined>;

export const makeComposeMail = (parts: Needs): ComposeMail => {
  const { documents, composeCertificate } = parts;
  const composeCancellationNotice = makeComposeCancellationNotice(parts);
  const composeFailureNotice = makeComposeFailureNotice(parts);
  const composeAccountRequest = makeComposeAccountRequest(parts);

  const certificateFor = async (
    sale: CertifiedSale,
  ): Promise<Pick<CertificateMail, 'certificate' | 'document'>> => {
    const certificate = await composeCertificate(sale);
    const content = await documents.certificate(certificate);
    return { certificate, document: { fileName: fileNameOf(certificate), content } };
  };

  return async function composeMail(name, sale) {
    const occasion = occasionOf(name);
    const place = mailingId(name).slice(`${name.saleId}-`.length);
    const addressed = { reference: `${referenceOf(sale)}-${place}`, to: emailOf(sale) };
    if (occasion === 'refund_account') {
      const request = await composeAccountRequest(sale);
      return request && { ...addressed, occasion, request };
    }
    if (occasion === 'cancellation') {
      if (isFailed(sale))
        return { ...addressed, occasion: 'failure', notice: await composeFailureNotice(sale) };
      if (!isCancelled(sale)) return undefined;
      return { ...addressed, occasion, notice: await composeCancellationNotice(sale) };
    }
    return isCertified(sale)
      ? { ...addressed, occasion, ...(await certificateFor(sale)) }
      : undefined;
  };
};

export const makeComposeFailureNotice = ({ catalogue }: Pick<Needs, 'catalogue'>) =>
  async function composeFailureNotice(sale: FailedSale): Promise<FailureNotice> {
    const { terms } = sale;
    const { name: productName, registration } = await productSold(catalogue, sale);
    return {
      text: describeFailure(sale, productName),
      money: describeMoneyOfFailure(sale),
      ...(terms.externalSaleId !== undefined && { order: terms.externalSaleId }),
      productName,
      insured: terms.insured,
      channelName: channelNameOf(terms),
      insurer: registration.insurer,
    };
  };

/** Undefined if no refund of the sale waits for an account. */
const makeComposeAccountRequest = ({ catalogue }: Pick<Needs, 'catalogue'>) =>
  async function composeAccountRequest(sale: Sale): Promise<AccountRequest | undefined> {
    const waiting = outstandingRefunds(sale).flatMap(({ amount, waitsFor }) => {
      const { actor, url, until, asked } = waitsFor ?? {};
      if (actor !== 'insured' || url === undefined || until === undefined) return [];
      return [{ refund: { amount, url, until }, isReminder: asked !== 1 }];
    });
    if (waiting.length === 0) return undefined;

    const { name: productName, registration } = await productSold(catalogue, sale);
    const protocol = protocolOf(sale);
    return {
      refunds: waiting.map(({ refund }) => refund),
      isReminder: waiting.every(({ isReminder }) => isReminder),
      ...(protocol !== undefined && { protocol }),
      productName,
      insured: sale.terms.insured,
      channelName: channelNameOf(sale.terms),
      insurer: registration.insurer,
    };
  };
