import type { SendMailOptions } from 'nodemailer';
import type { CertificateMail } from '../../application/mail/mailer.ts';
import { letterOf } from './mail-letter.ts';

/** Who mail is from: `Nome <nome@example.com>`, or the address alone. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** The mail with its headers. The one who gets it is named by his address alone; the library encodes what is no plain word. */
export const messageOf = (mail: CertificateMail, from: Sender): SendMailOptions => {
  const { reference, to, document } = mail;
  return {
    from: { name: from.name, address: from.address },
    to: { name: '', address: to },
    messageId: `<${reference}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    // No answering machine is to answer (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...letterOf(mail),
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
