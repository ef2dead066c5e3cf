import type { SendMailOptions } from 'nodemailer';
import type { CertificateMail } from '../../application/mail/mailer.ts';
import { writeLetter } from './mail-letter.ts';

/** The sender of all mail. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/**
 * Composes a mail with its headers. `to` has no display name, so that a name cannot add recipients.
 * nodemailer encodes texts that are not ASCII.
 */
export const composeMessage = (mail: CertificateMail, from: Sender): SendMailOptions => {
  const { reference, to, document } = mail;
  return {
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    messageId: `<${reference}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // Asks automatic responders not to answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...writeLetter(mail),
    attachments: [
      {
        filename: document.fileName,
        content: Buffer.from(document.content),
        contentType: 'application/pdf',
      },
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};
