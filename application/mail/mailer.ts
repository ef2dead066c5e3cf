import type { Email } from '#domain';
import type { Certificate, NamedDocument } from '../certificates/certificate.ts';
import type { MailOccasion } from './mailings.ts';

/** A certificate on its way to the insured. */
export interface CertificateMail {
  /** The same however often the mail is tried. */
  readonly reference: string;
  readonly occasion: MailOccasion;
  readonly to: Email;
  readonly certificate: Certificate;
  readonly document: NamedDocument;
}

/**
 * What became of it: taken by whoever delivers it; refused for good, with the server's code; or not taken now, which may be
 * another time.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'unreached'; readonly reason: string };

/**
 * Sends mail.
 *
 * 1. What is `sent` has been taken, whole: a text, the same as a page, and the document.
 * 2. Whatever stands in a name, a mail goes to its one address, and has the headers that it should have.
 * 3. Whoever cannot be reached, hangs or says no is `unreached` or `refused`: nothing is thrown.
 */
export interface Mailer {
  send(mail: CertificateMail): Promise<MailOutcome>;
}
