import { refuse } from '#domain';
import type { Actor } from '../audit/audit-log.ts';
import type { Ports } from '../ports.ts';
import type { MailingRefusal } from '../refusals.ts';
import { type Mailing, type MailingName, mailingId } from './mailings.ts';

type Needs = Pick<Ports, 'mailings' | 'clock'>;

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
