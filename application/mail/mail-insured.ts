import { emailOf, type Sale } from '#domain';
import type { Alert, Alerts } from '../alerts/alerts.ts';
import { type Clock, later, type Timers } from '../clock.ts';
import { describeFault } from '../describe-fault.ts';
import type { MailingName } from '../mailing-name.ts';
import type { Sales } from '../sales/sales.ts';
import { shareRuns } from '../share-runs.ts';
import type { ComposeMail } from './compose-mail.ts';
import { isGivenUp, needsOperator, nextTryAt } from './failed-tries.ts';
import { createPauses } from './mail-pauses.ts';
import type { Mailer } from './mailer.ts';
import type { ClaimedMailing, MailingResult, Mailings } from './mailings.ts';

interface Needs {
  readonly mailings: Mailings;
  readonly sales: Sales;
  readonly composeMail: ComposeMail;
  readonly mailer: Mailer;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly alerts: Alerts;
  /** The limit of all workers together; undefined if there is no limit. */
  readonly mailsPerMinute: number | undefined;
}

/** A mail that was not taken. `fault`: of the service itself. */
interface FailedMail extends MailingName {
  readonly kind: 'refused' | 'later';
  readonly reason: string;
  readonly fault?: object;
}

/**
 * Sends mails that are due, up to `limit`. `taken`: how many it has claimed. If the process dies
 * between sending and recording a mail, it is sent again under the same reference.
 */
export type MailInsured = (limit: number) => Promise<{
  readonly taken: number;
  readonly sent: number;
  readonly failed: readonly FailedMail[];
}>;

const NONE = { taken: 0, sent: 0, failed: [] };

/** Mails that are composed and sent at the same time. */
const LANES = 10;

/** How long a worker has the mails that it claims, and the time after which it prolongs that, ms. */
const [CLAIM_MS, RENEW_MS] = [120_000, 30_000];

export const makeMailInsured = (parts: Needs): MailInsured => {
  const { mailings, sales, clock, timers, mailsPerMinute: perMinute } = parts;
  const pauses = createPauses();
  const sendOne = makeSendOne(parts, pauses);

  return async function mailInsured(limit) {
    const now = clock.now();
    if (pauses.isServerPaused(now)) return NONE;
    const claimed = await mailings.claim({ now, until: later(now, CLAIM_MS), limit, perMinute });
    if (claimed.length === 0) return NONE;

    const failed: FailedMail[] = [];
    let sent = 0;
    const recorder = makeRecorder(parts);
    const finish = async (name: ClaimedMailing, sale: Sale | undefined): Promise<void> => {
      const tried = await sendOne(name, sale);
      const { result, fault } = tried;
      if (result.status === 'sent') sent += 1;
      if ('reason' in result) failed.push(failureOf(result, fault));
      await recorder.add(tried);
    };

    const stopRenewing = timers.every(RENEW_MS, () => {
      mailings.renew(claimed, later(clock.now(), CLAIM_MS)).catch(() => {});
    });
    try {
      const found = await Promise.all(claimed.map(({ saleId }) => sales.load(saleId)));
      const waiting = claimed.map((name, index) => ({ name, sale: found[index] })).values();
      const sendInTurn = async (): Promise<void> => {
        for (const { name, sale } of waiting) {
          // What cannot be recorded would be sent again.
          if (recorder.isLate()) return;
          await finish(name, sale);
        }
      };
      await Promise.all(Array.from({ length: LANES }, sendInTurn));
      await recorder.end();
    } finally {
      stopRenewing();
    }
    return { taken: claimed.length, sent, failed };
  };
};

/** Longest time for which the store is asked again to record what was sent, less than a claim, s. */
const RECORD_SECONDS = 90;

/** Makes what records results, together those that have come meanwhile. */
const makeRecorder = ({ mailings, clock, timers, alerts }: Needs) => {
  const tries: Tried[] = [];
  let failure: unknown;
  const recordAll = shareRuns(async () => {
    const batch = tries.splice(0);
    try {
      const results = batch.map(({ result }) => result);
      if (batch.length > 0) await mailings.record(results, clock.now());
      failure = undefined;
    } catch (error) {
      tries.unshift(...batch);
      failure = error;
      return;
    }
    for (const { alert } of batch) if (alert !== undefined) alerts.raise(alert);
  });

  return {
    add: (tried: Tried): Promise<void> => {
      tries.push(tried);
      return recordAll();
    },
    /** Whether the store has not taken what was to be recorded last. */
    isLate: (): boolean => failure !== undefined,
    /** @throws what the store has thrown last, if it takes nothing for long */
    end: async (): Promise<void> => {
      for (let second = 0; failure !== undefined && second < RECORD_SECONDS; second += 1) {
        await timers.pause(1_000);
        await recordAll();
      }
      if (failure !== undefined) throw failure;
    },
  };
};

interface Tried {
  readonly result: MailingResult;
  readonly fault?: object;
  readonly alert?: Alert;
}

/** Makes the function that sends one mail, and tells what becomes of it. */
const makeSendOne = (
  { composeMail, sales, mailer, clock }: Needs,
  pauses: ReturnType<typeof createPauses>,
) => {
  /** Whether another address was given while the mail was on its way. */
  const wasCorrected = async (sale: Sale): Promise<boolean> => {
    const present = await sales.load(sale.id);
    return present !== undefined && emailOf(present) !== emailOf(sale);
  };

  const send = async ({ saleId, number, failures }: ClaimedMailing, sale: Sale): Promise<Tried> => {
    const mailing = { saleId, number };
    const to = emailOf(sale);
    const pausedUntil = pauses.pausedUntil(to, clock.now());
    if (pausedUntil !== undefined)
      return { result: { ...mailing, status: 'waiting', nextAt: pausedUntil } };

    const mail = await composeMail(mailing, sale);
    if (mail === undefined) return { result: { ...mailing, status: 'withdrawn' } };
    const outcome = await mailer.send(mail);
    const now = clock.now();
    pauses.note(to, outcome.kind, now);
    if (outcome.kind === 'sent') return { result: { ...mailing, status: 'sent' } };
    const { reason } = outcome;
    if (outcome.kind === 'refused' && (await wasCorrected(sale)))
      return { result: { ...mailing, status: 'waiting', reason, nextAt: now } };
    const alert = { kind: 'mail_undelivered', ...mailing, reason } as const;
    if (isGivenUp(outcome, failures, pauses.tookMailLately(to, now)))
      return { result: { ...mailing, status: 'undelivered', reason }, alert };
    const nextAt = nextTryAt(failures, now);
    return {
      result: { ...mailing, status: 'waiting', reason, nextAt },
      ...(needsOperator(outcome, failures) && { alert }),
    };
  };

  return async function sendOne(name: ClaimedMailing, sale: Sale | undefined): Promise<Tried> {
    const { saleId, number, failures } = name;
    if (sale === undefined) return { result: { saleId, number, status: 'withdrawn' } };
    try {
      return await send(name, sale);
    } catch (error) {
      const nextAt = nextTryAt(failures, clock.now());
      const result = { saleId, number, status: 'waiting', nextAt, reason: 'failed' } as const;
      return { result, fault: describeFault(error) };
    }
  };
};

const failureOf = (
  { saleId, number, status, reason = '' }: MailingResult & { readonly reason?: string },
  fault: object | undefined,
): FailedMail => ({
  ...{ saleId, number, reason },
  kind: status === 'undelivered' ? 'refused' : 'later',
  ...(fault && { fault }),
});
