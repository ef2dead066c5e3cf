import {
  correctEmail,
  type Email,
  emailOf,
  isMailable,
  isRefusal,
  type Refusal,
  refuse,
  type Sale,
} from '#domain';
import type { Actor, AuditEntry } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { Mailings } from '../mail/mailings.ts';
import { type ChangePorts, changeSale } from '../saga/change-sale.ts';
import type { RetryMailing } from './retry-mailing.ts';

/** The sale has ended: no certificate will be mailed. */
export type MaillessSale = Refusal<'sale_takes_no_mail'>;

/** A refusal with the seconds to wait. */
interface TooManyCorrections extends Refusal<'too_many_corrections'> {
  readonly waitFor: number;
}

type EmailRefusal = MaillessSale | TooManyCorrections;

interface EmailCorrectionRequest {
  readonly sale: Sale;
  readonly email: Email;
  readonly actor: Actor;
}

export interface CorrectedSale {
  readonly sale: Sale;
  /** Mails of the sale that are to be sent, now to the corrected address. */
  readonly mailsWaiting: number;
}

interface Needs extends ChangePorts {
  readonly mailings: Mailings;
  readonly clock: Clock;
  readonly retryMailing: RetryMailing;
}

export type CorrectSaleEmail = (
  request: EmailCorrectionRequest,
) => Promise<CorrectedSale | EmailRefusal>;

const HOUR_MS = 3_600_000;

/** More mails than a sale gets while one of them still waits. */
const MOST_MAILS = 1_000;

/**
 * Corrects the address of the insured once. Mails that were undelivered are sent to it; those that
 * a mail server has taken are not repeated.
 */
export const makeCorrectSaleEmail = (ports: Needs): CorrectSaleEmail =>
  async function correctSaleEmail({ sale, email, actor }) {
    const { mailings, clock, retryMailing } = ports;
    const at = clock.now();
    const correct = (present: Sale): Sale | EmailRefusal => {
      if (!isMailable(present)) return refuse('sale_takes_no_mail');
      const outcome = correctEmail(present, email, at);
      if (!isRefusal(outcome)) return outcome.state;
      const waitMs = Date.parse(outcome.earliest) + HOUR_MS - Date.parse(at);
      return { ...refuse('too_many_corrections'), waitFor: Math.ceil(waitMs / 1_000) };
    };

    const stored = await changeSale(
      ports,
      sale,
      (present) => {
        const corrected = correct(present);
        return isRefusal(corrected) ? present : corrected;
      },
      (corrected) => ({ entry: entryOf(corrected, { actor, at }), resendMails: true }),
    );
    const corrected = correct(stored);
    if (isRefusal(corrected)) return corrected;

    // A mail may have been given up just now, after a try at the earlier address.
    const lost = { saleId: stored.id, status: 'undelivered', limit: MOST_MAILS } as const;
    for (const mailing of await mailings.list(lost)) await retryMailing(mailing, actor);

    const waiting = { saleId: stored.id, status: 'waiting', limit: MOST_MAILS } as const;
    return { sale: stored, mailsWaiting: (await mailings.list(waiting)).length };
  };

/** The entry shows the beginnings of the addresses only: the audit log is kept for good. */
const entryOf = (
  { id, terms, corrections }: Sale,
  by: Pick<AuditEntry, 'actor' | 'at'>,
): AuditEntry => {
  const before = emailOf({ terms, corrections: corrections?.slice(0, -1) });
  const after = emailOf({ terms, corrections });
  return {
    ...by,
    action: 'sale.email_corrected',
    subject: `transaction/${id}`,
    reason: null,
    changes: [{ field: 'email', before: maskEmail(before), after: maskEmail(after) }],
  };
};

/** `m***@e***` */
export const maskEmail = (email: Email): string => email.replace(/^(.)[^@]*@(.).*$/, '$1***@$2***');
