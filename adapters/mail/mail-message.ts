import type { SendMailOptions } from 'nodemailer';
import type { Mail, PlainMail } from '../../application/mail/mailer.ts';
import { writeAccountLetter } from './account-letter.ts';
import { writeCancellationLetter } from './cancellation-letter.ts';
import { writeCertificateLetter } from './certificate-letter.ts';
import { writeFailureLetter } from './failure-letter.ts';

/** The sender of all mail. */
export interface Sender {
  readonly name: string;
  readonly address: string;
  /** Whether its mails are of a test environment, and say so. */
  readonly isTest?: boolean;
}

/**
 * Composes a mail with its headers. `to` has no display name, so that a name cannot add recipients.
 * nodemailer encodes texts that are not ASCII.
 */
export const composeMessage = (mail: Mail, from: Sender): SendMailOptions => ({
  ...composeEnvelope({ reference: mail.reference, to: [mail.to] }, from),
  ...writeContent(mail, from.isTest ?? false),
});

/** The same for a mail of plain text. */
export const composePlainMessage = (mail: PlainMail, from: Sender): SendMailOptions => ({
  ...composeEnvelope(mail, from),
  subject: mail.subject,
  text: mail.text,
});

const composeEnvelope = (
  { reference, to }: Pick<PlainMail, 'reference' | 'to'>,
  from: Sender,
): SendMailOptions => ({
  from: { name: from.name, address: from.address },
  to: to.map((address) => ({ name: '', address })),
  messageId: `<${reference}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
  // Asks automatic responders not to answer (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

const writeContent = (mail: Mail, isTest: boolean): SendMailOptions => {
  if (mail.occasion === 'cancellation') return { ...writeCancellationLetter(mail, isTest) };
  if (mail.occasion === 'failure') return { ...writeFailureLetter(mail, isTest) };
  if (mail.occasion === 'refund_account') return { ...writeAccountLetter(mail, isTest) };
  const { fileName, content } = mail.document;
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return {
    ...writeCertificateLetter(mail, isTest),
    attachments: [{ filename: fileName, content: bytes, contentType: 'application/pdf' }],
  };
};
