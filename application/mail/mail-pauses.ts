import type { Email, Instant } from '#domain';
import { later } from '../clock.ts';
import type { MailOutcome } from './mailer.ts';

/** Pauses after failures in a row, ms: the first, and the longest. */
const [FIRST_MS, LONGEST_MS] = [5_000, 300_000];

interface Pause {
  readonly failures: number;
  readonly until: Instant;
}

/** Time for which it is known that a destination took a mail, ms. */
const LATELY_MS = 86_400_000;

/** Destinations that are remembered: far more than fail at a time. */
const MAX_KEPT = 10_000;

const NEVER = '1970-01-01T00:00:00.000Z' as Instant;

/** The mail server itself, where another name is that of a destination. */
const SERVER = '';

const domainOf = (to: Email): string => to.slice(to.lastIndexOf('@') + 1).toLowerCase();

/**
 * What a worker has learned of who takes no mail now. A destination that defers a mail gets none for
 * a time, and other destinations go on; if the mail server cannot be reached, all mails wait. The
 * pause doubles with each failure in a row, up to five minutes. Nothing of it is stored: another
 * worker finds out for itself.
 */
export const createPauses = () => {
  const pauses = new Map<string, Pause>();
  /** When a destination took a mail last. */
  const taken = new Map<string, Instant>();

  const untilOf = (name: string, now: Instant): Instant | undefined => {
    const { until } = pauses.get(name) ?? {};
    return until !== undefined && until > now ? until : undefined;
  };
  const pause = (name: string, now: Instant): void => {
    // Failures of mails that were sent at the same time are one.
    if (untilOf(name, now) !== undefined) return;
    const { failures = 0 } = pauses.get(name) ?? {};
    if (pauses.size >= MAX_KEPT) pauses.clear();
    const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
    pauses.set(name, { failures: failures + 1, until: later(now, ms) });
  };

  return {
    isServerPaused: (now: Instant): boolean => untilOf(SERVER, now) !== undefined,

    /** The end of the pause of this address; undefined: a mail may be tried now. */
    pausedUntil: (to: Email, now: Instant): Instant | undefined =>
      untilOf(SERVER, now) ?? untilOf(domainOf(to), now),

    /** Whether this worker knows that the domain of this address has taken a mail within a day. */
    tookMailLately: (to: Email, now: Instant): boolean =>
      later(taken.get(domainOf(to)) ?? NEVER, LATELY_MS) > now,

    note: (to: Email, outcome: MailOutcome['kind'], now: Instant): void => {
      if (outcome === 'sent') {
        if (taken.size >= MAX_KEPT) taken.clear();
        taken.set(domainOf(to), now);
      }
      if (outcome === 'unreached') pause(SERVER, now);
      else pauses.delete(SERVER);
      if (outcome === 'deferred') pause(domainOf(to), now);
      else if (outcome !== 'unreached') pauses.delete(domainOf(to));
    },
  };
};
