import type { Email } from '#domain';
import type { Certificate, NamedDocument } from '../certificates/certificate.ts';
import type { MailOccasion } from './mailings.ts';

/** A certificate to be mailed to the insured. */
export interface CertificateMail {
  /** The same for every try of a mail. */
  readonly reference: string;
  readonly occasion: MailOccasion;
  readonly to: Email;
  readonly certificate: Certificate;
  readonly document: NamedDocument;
}

/**
 * `sent`: accepted by the server. `refused`: rejected for good, with the server's code.
 * `unreached`: not accepted now.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'unreached'; readonly reason: string };

/**
 * Sends mail.
 *
 * 1. A `sent` mail was accepted complete: plain text, the same as HTML, and the document.
 * 2. Whatever a name contains, the mail goes to its one address with the intended headers.
 * 3. A server that is down, hangs or rejects gives `unreached` or `refused`. Nothing is thrown.
 */
export interface Mailer {
  send(mail: CertificateMail): Promise<MailOutcome>;
}
