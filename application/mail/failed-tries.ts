import type { Instant } from '#domain';
import { later } from '../clock.ts';
import type { MailOutcome } from './mailer.ts';

/** A mail is tried for about two days, as mail servers do (RFC 5321, section 4.5.4.1). */
const MAX_TRIES = 110;

/** Pauses after failures, ms: the first, the longest in the two days, and the one after them. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS, LATE_PAUSE_MS] = [2_000, 1_800_000, 10_800_000];

/** Failures after which the alert of a mail that waits is raised again. */
const ALERT_EVERY = 10;

export const nextTryAt = (failures: number, now: Instant): Instant => {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 20));
  return later(now, failures < MAX_TRIES ? pauseMs : LATE_PAUSE_MS);
};

/**
 * Whether a mail is given up: its address is wrong, or took nothing for two days while its domain
 * took other mails. Else the fault may be ours, and the mail waits until its domain takes mail.
 *
 * @param failures before this one
 */
export const isGivenUp = (
  { kind }: MailOutcome,
  failures: number,
  tookOthersLately: boolean,
): boolean => kind === 'refused' || (failures + 1 >= MAX_TRIES && tookOthersLately);

/** Whether an operator must look at a mail that waits. @param failures before this one */
export const needsOperator = (
  outcome: Exclude<MailOutcome, { kind: 'sent' }>,
  failures: number,
): boolean =>
  (outcome.blamesSender === true || failures >= MAX_TRIES) && failures % ALERT_EVERY === 0;
