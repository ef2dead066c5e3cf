import type { Instant } from '#domain';
import type { MailingResult, Mailings } from '../../application/mail/mailings.ts';
import type { MailingName } from '../../application/mailing-name.ts';

type Recording = Pick<Mailings, 'record'>;

/** Records that a mailing has got its outcome. */
export const settle = (
  mailings: Recording,
  { saleId, number }: MailingName,
  status: Exclude<MailingResult['status'], 'waiting'>,
  at: Instant,
  reason?: string,
): Promise<void> =>
  mailings.record([{ saleId, number, status, ...(reason && { reason }) } as MailingResult], at);

/** Records that a try has failed, after which another is due at once. */
export const fail = (
  mailings: Recording,
  { saleId, number }: MailingName,
  reason: string,
): Promise<void> => {
  const nextAt = '2026-01-01T00:00:00.000Z' as Instant;
  return mailings.record([{ saleId, number, status: 'waiting', reason, nextAt }], nextAt);
};
