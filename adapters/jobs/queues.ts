import type { Queue } from 'pg-boss';
import type { MailingName } from '../../application/mail/mailings.ts';

export const RESUME = 'resume-sale';
export const AWAIT = 'await-payer';
export const NOTICE = 'process-notice';
export const DELIVERY = 'sandbox-notice';
export const MAIL = 'send-mail';
export const UNDELIVERED = 'undelivered-mail';

/** Nothing is given up: what waits for a payer or a provider that is down waits as long as they take. */
const PATIENT = {
  retryLimit: 2_147_483_647,
  retentionSeconds: 2_147_483_647,
  deleteAfterSeconds: 86_400,
  retryBackoff: true,
  // A process that was killed in the middle of a job is noticed after this.
  expireInSeconds: 120,
} satisfies Omit<Queue, 'name'>;

/** A mail is tried for some two days, in the end every half hour: as long as mail servers do (RFC 5321, section 4.5.4.1). */
const MAIL_TRIES = {
  retryLimit: 110,
  retryDelay: 2,
  retryDelayMax: 1_800,
  deadLetter: UNDELIVERED,
  expireInSeconds: 900,
};

/** Seconds between two tries, at first and at most. */
export const QUEUES = [
  { name: RESUME, ...PATIENT, retryDelay: 1, retryDelayMax: 600 },
  { name: AWAIT, ...PATIENT, retryDelay: 60, retryDelayMax: 3_600 },
  { name: NOTICE, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: DELIVERY, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: UNDELIVERED, ...PATIENT, retryDelay: 1, retryDelayMax: 60 },
  { name: MAIL, ...PATIENT, ...MAIL_TRIES },
];

/** Whoever asked for a second copy waits for it; new certificates may be thousands. */
export const priorityOf = ({ number }: MailingName): number => (number === 0 ? 0 : 10);

/** So many mails a second are sent by a process, at most: mail servers have limits, and selling goes first. */
export const MAIL_PACE = {
  pollingIntervalSeconds: 1,
  batchSize: 3,
  localConcurrency: 3,
  burstWhenBatchFull: false,
};

/**
 * How many mails are taken over at most, and after how many milliseconds again: no more than can be sent meanwhile, so that
 * while thousands of sales come in, their mails wait as they were written, and cost nothing more.
 */
export const HAND_OVER = { most: 10, whileBusy: 2, pause: 1_000 };
