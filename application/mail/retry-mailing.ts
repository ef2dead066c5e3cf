import type { Actor } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Mailing, MailingName, Mailings } from './mailings.ts';

export interface RetryMailingParts {
  readonly mailings: Mailings;
  readonly clock: Clock;
}

/** The mailing as it is then. */
export type RetryMailing = (
  name: MailingName,
  actor: Actor,
) => Promise<Mailing | 'not_found' | 'not_undelivered'>;

/** Has a mail that was given up tried again, from the first try on. */
export const retryMailing =
  ({ mailings, clock }: RetryMailingParts): RetryMailing =>
  async (name, actor) => {
    const before = await mailings.find(name);
    if (before === undefined) return 'not_found';
    const outcome = await mailings.retry(name, {
      ...{
        at: clock.now(),
        action: 'mail.retried',
        actor,
        subject: `mailing/${name.saleId}-${name.number}`,
        reason: null,
      },
      changes: [{ field: 'status', before: before.status, after: 'waiting' }],
    });
    if (outcome === 'not_undelivered') return outcome;
    return (await mailings.find(name)) ?? 'not_found';
  };
