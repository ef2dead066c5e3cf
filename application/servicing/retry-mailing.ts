import { type Refusal, refuse } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Mailing, Mailings } from '../mail/mailings.ts';
import { type MailingName, mailingId } from '../mailing-name.ts';

export type MailingRefusal = Refusal<'mailing_unknown' | 'mailing_not_undelivered'>;

interface Needs {
  readonly mailings: Mailings;
  readonly clock: Clock;
}

/** Returns the mailing after the change. */
export type RetryMailing = (name: MailingName, actor: Actor) => Promise<Mailing | MailingRefusal>;

/** Retries an undelivered mail from the first try. */
export const makeRetryMailing = ({ mailings, clock }: Needs): RetryMailing =>
  async function retryMailing(name, actor) {
    const before = await mailings.find(name);
    if (before === undefined) return refuse('mailing_unknown');
    const outcome = await mailings.retry(name, {
      ...{
        at: clock.now(),
        action: 'mail.retried',
        actor,
        subject: `mailing/${mailingId(name)}`,
        reason: null,
      },
      changes: [{ field: 'status', before: before.status, after: 'waiting' }],
    });
    if (outcome === 'not_undelivered') return refuse('mailing_not_undelivered');
    return (await mailings.find(name)) ?? refuse('mailing_unknown');
  };
