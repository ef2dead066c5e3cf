import type { MailingName } from '../../application/mail/mailings.ts';

/** What came of a job: done, to be done again later, or never to be done, and why. */
export type JobOutcome = 'done' | 'later';
export type MailOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'later' | 'refused'; readonly reason: string };

/** A sale that waits for its payer is asked for now and then, apart from those for which something has to be done. */
type ResumeOutcome = JobOutcome | 'await_payer';

/** A notice of the gateway that the service plays itself, on its way to the service. */
export interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly reference: string;
  readonly chargeId: string;
}

/** Who does the work; whatever throws is done again later. */
export interface Workers {
  resumeSale(id: number): Promise<ResumeOutcome>;
  /** A sale has been tried so often, in vain. */
  stuck(saleId: number, tries: number): void;
  processNotice(id: string): Promise<JobOutcome>;
  deliver(delivery: Delivery): Promise<JobOutcome>;
  mail(name: MailingName): Promise<MailOutcome>;
  /** A mail was refused for good, or has been tried often enough. */
  giveUpMail(name: MailingName, reason: string): Promise<void>;
  /** Hands over mails that wait, so many at most. */
  handOverMail(most: number): Promise<void>;
}
