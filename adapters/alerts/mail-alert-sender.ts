import type {
  AlertSender,
  Digest,
  NotificationOutcome,
} from '../../application/alerts/alert-notifications.ts';
import type { PlainMailer } from '../../application/mail/mailer.ts';
import { type ToldService, textOf, titleOf } from './alert-text.ts';

/** Tells operators of alerts by mail. */
export class MailAlertSender implements AlertSender {
  readonly way = 'mail';
  readonly #mailer: PlainMailer;
  readonly #to: readonly string[];
  readonly #service: ToldService;

  constructor(mailer: PlainMailer, to: readonly string[], service: ToldService) {
    this.#mailer = mailer;
    this.#to = to;
    this.#service = service;
  }

  async tell(digest: Digest): Promise<NotificationOutcome> {
    const outcome = await this.#mailer.sendPlain({
      // The same for every try of a digest.
      reference: `alerts-${digest.kind}-${digest.upTo}`,
      to: this.#to,
      subject: `[insurance-sales] ${titleOf(digest)}`,
      text: `${textOf(digest, this.#service)}\n`,
    });
    if (outcome.kind === 'sent') return { kind: 'told' };
    const { kind, reason } = outcome;
    return { kind: kind === 'unanswered' ? 'unknown' : 'failed', reason };
  }
}
