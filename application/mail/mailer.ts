import type { CalendarDate, Cents, Email, Insured, Insurer } from '#domain';
import type { Certificate, NamedDocument } from '../certificates/certificate.ts';
import type { MailOccasion } from '../mailing-name.ts';
import type { CancellationNotice } from './cancellation-notice.ts';
import type { FailureNotice } from './failure-notice.ts';

interface Addressed {
  /** The same for every try of a mail. */
  readonly reference: string;
  readonly to: Email;
}

/** A certificate to be mailed to the insured. */
export interface CertificateMail extends Addressed {
  readonly occasion: Exclude<MailOccasion, 'cancellation' | 'refund_account'>;
  readonly certificate: Certificate;
  readonly document: NamedDocument;
}

/** Tells the insured that the contract has ended, and what is refunded. */
export interface CancellationMail extends Addressed {
  readonly occasion: 'cancellation';
  readonly notice: CancellationNotice;
}

/** Tells the insured that the purchase came to no contract, and what happens to the money. */
export interface FailureMail extends Addressed {
  readonly occasion: 'failure';
  readonly notice: FailureNotice;
}

/** A refund for which the payer has to name an account. */
interface RefundWithoutAccount {
  /** What goes back, in cents. */
  readonly amount: Cents;
  /** The page of the gateway on which the payer names the account. */
  readonly url: string;
  /** The last day on which the service waits without help. */
  readonly until: CalendarDate;
}

/** The request to a payer to name the accounts that receive the refunds of a sale. */
export interface AccountRequest {
  /** There is at least one. */
  readonly refunds: readonly RefundWithoutAccount[];
  /** Whether earlier mails have asked for all of them. */
  readonly isReminder: boolean;
  /** Absent if the sale was not cancelled. */
  readonly protocol?: string;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  readonly channelName: string;
  readonly insurer: Insurer;
}

/** Asks the payer for the account that receives a refund. */
export interface RefundAccountMail extends Addressed {
  readonly occasion: 'refund_account';
  readonly request: AccountRequest;
}

export type Mail = CertificateMail | CancellationMail | FailureMail | RefundAccountMail;

/**
 * `sent`: accepted by the server. `refused`: rejected for good. `deferred`: this mail is not accepted
 * now. `unreached`: the server takes no mail now. `reason`: the server's code and words, without the
 * address.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused' | 'deferred' | 'unreached'; readonly reason: string };

/**
 * Sends mail.
 *
 * 1. A `sent` mail was accepted complete: plain text, the same as HTML, and the document if there is one.
 * 2. Whatever a name contains, the mail goes to its one address with the intended headers.
 * 3. A server that is down, hangs or rejects gives one of the other outcomes. Nothing is thrown.
 */
export interface Mailer {
  send(mail: Mail): Promise<MailOutcome>;
}

/** A mail to operators. */
export interface PlainMail {
  /** The same for every try of a mail. */
  readonly reference: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** `unanswered`: the server got the mail whole, and did not say in time whether it accepts it. */
export type PlainMailOutcome =
  | MailOutcome
  | { readonly kind: 'unanswered'; readonly reason: string };

/** Sends mail to operators as plain text, and gives up after 15 s; else as `Mailer` does. */
export interface PlainMailer {
  sendPlain(mail: PlainMail): Promise<PlainMailOutcome>;
}
