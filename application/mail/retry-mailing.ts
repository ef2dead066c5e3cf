import type { Actor } from '../audit/audit-log.ts';
import type { Ports } from '../ports.ts';
import type { Mailing, MailingName } from './mailings.ts';

type Needs = Pick<Ports, 'mailings' | 'clock'>;

/** Returns the mailing after the change. */
export type RetryMailing = (
  name: MailingName,
  actor: Actor,
) => Promise<Mailing | 'not_found' | 'not_undelivered'>;

/** Retries an undelivered mail from the first try. */
export const makeRetryMailing = ({ mailings, clock }: Needs): RetryMailing =>
  async function retryMailing(name, actor) {
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
