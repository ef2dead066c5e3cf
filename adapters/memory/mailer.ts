import type { CertificateMail, Mailer, MailOutcome } from '../../application/mail/mailer.ts';

/** Keeps what was sent, and fails as it is told. */
export class MemoryMailer implements Mailer {
  readonly sent: CertificateMail[] = [];
  /** What becomes of the next mails, one each; then all are sent. */
  readonly #next: MailOutcome[] = [];

  next(...outcomes: readonly MailOutcome[]): void {
    this.#next.push(...outcomes);
  }

  async send(mail: CertificateMail): Promise<MailOutcome> {
    const outcome = this.#next.shift() ?? { kind: 'sent' };
    if (outcome.kind === 'sent') this.sent.push(structuredClone(mail));
    return outcome;
  }
}
