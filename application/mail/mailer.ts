import type {
  CalendarDate,
  CancellationFigures,
  Cents,
  CoveragePeriod,
  Email,
  Insured,
  Insurer,
  IssuedDocument,
  PaymentMethod,
  RefundBar,
  RefundStatus,
  UnbookedMoney,
} from '#domain';
import type { Certificate, NamedDocument } from '../certificates/certificate.ts';
import type { MailOccasion } from '../mailing-name.ts';

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

/** The notice to the insured that the contract has ended. */
export interface CancellationNotice {
  readonly protocol: string;
  /** Who ended the contract and why, what was paid, and what goes back. */
  readonly figures: CancellationFigures;
  /** Present if no payment was booked: then the figures say that nothing was paid. */
  readonly unbooked?: UnbookedMoney;
  /** How the refund stands when the mail is sent; absent without a refund. */
  readonly refundStatus?: RefundStatus;
  /** Only if it is `barred`. */
  readonly barred?: RefundBar;
  /** What came beyond the price, in cents: it goes back, too. */
  readonly surplus?: Cents;
  /** Absent if no document was issued. */
  readonly document?: Pick<IssuedDocument, 'kind' | 'number'>;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  /** The days of the right of withdrawal. */
  readonly withdrawalDays: number;
  /** The days that were sold. */
  readonly period: CoveragePeriod;
  /** Who receives the payment, and so refunds it; the method, if money came in and it is known. */
  readonly collectedBy: 'channel' | 'service';
  readonly method?: PaymentMethod;
  readonly channelName: string;
  readonly insurer: Insurer;
}

/** Tells the insured that the contract has ended, and what is refunded. */
export interface CancellationMail extends Addressed {
  readonly occasion: 'cancellation';
  readonly notice: CancellationNotice;
}

/** The notice to the insured that a purchase came to no contract. */
export interface FailureNotice {
  /** Why, and that there is no insurance. */
  readonly text: string;
  /** What happened to the money. */
  readonly money: string;
  /** The channel's own name of the sale; absent: it gave none. */
  readonly order?: string;
  readonly productName: string;
  readonly insured: Pick<Insured, 'name' | 'socialName'>;
  readonly channelName: string;
  readonly insurer: Insurer;
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
 * now. `unreached`: the server takes no mail now. `blamesSender`: the server refuses the sender, such as
 * by its policy. `reason`: the server's code and words, without the address.
 */
export type MailOutcome =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'refused' | 'deferred' | 'unreached';
      readonly reason: string;
      readonly blamesSender?: true;
    };

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
