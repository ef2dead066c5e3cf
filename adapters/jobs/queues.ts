import type { Queue } from 'pg-boss';
import { CANCELLATION_NUMBER, type MailingName } from '../../application/mailing-name.ts';

export const RESUME = 'resume-sale';
export const AWAIT = 'await-payer';
export const NOTICE = 'process-notice';
export const DELIVERY = 'sandbox-notice';
export const MAIL = 'send-mail';
export const UNDELIVERED = 'undelivered-mail';
/** Queues of their own, because workers of the version before know certificates only. */
export const CANCELLATION_MAIL = 'send-cancellation-mail';
export const UNDELIVERED_CANCELLATION = 'undelivered-cancellation-mail';
export const REFUND_MAIL = 'send-refund-mail';
export const UNDELIVERED_REFUND = 'undelivered-refund-mail';

const WEBHOOKS = 'send-webhooks';
const FAILING_WEBHOOKS = 'send-webhooks-failing';

/** A job is retried until it succeeds, however long a payer or a provider takes. */
const RETRY_FOREVER = {
  retryLimit: 2_147_483_647,
  retentionSeconds: 2_147_483_647,
  deleteAfterSeconds: 86_400,
  retryBackoff: true,
  // After this time a job of a process that was killed is given to another one.
  expireInSeconds: 120,
} satisfies Omit<Queue, 'name'>;

/** A mail is tried for about two days, as mail servers do (RFC 5321, section 4.5.4.1). */
const RETRY_MAIL = {
  retryLimit: 110,
  retryDelay: 2,
  retryDelayMax: 1_800,
  expireInSeconds: 900,
};

/** An endpoint has one job at most. It is kept alive by its process (`webhook-runs.ts`). */
const ONE_PER_ENDPOINT = {
  policy: 'exclusive',
  heartbeatSeconds: 10,
  retryDelay: 1,
  retryDelayMax: 60,
} satisfies Omit<Queue, 'name'>;

/**
 * `retryDelay` is the pause before the first retry, `retryDelayMax` the longest one, in seconds.
 */
export const QUEUES: readonly Queue[] = [
  { name: RESUME, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 600 },
  { name: AWAIT, ...RETRY_FOREVER, retryDelay: 60, retryDelayMax: 3_600 },
  { name: NOTICE, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  { name: DELIVERY, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  { name: UNDELIVERED, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  { name: MAIL, ...RETRY_FOREVER, ...RETRY_MAIL, deadLetter: UNDELIVERED },
  { name: UNDELIVERED_CANCELLATION, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  {
    name: CANCELLATION_MAIL,
    ...RETRY_FOREVER,
    ...RETRY_MAIL,
    deadLetter: UNDELIVERED_CANCELLATION,
  },
  { name: UNDELIVERED_REFUND, ...RETRY_FOREVER, retryDelay: 1, retryDelayMax: 60 },
  { name: REFUND_MAIL, ...RETRY_FOREVER, ...RETRY_MAIL, deadLetter: UNDELIVERED_REFUND },
  { name: WEBHOOKS, ...RETRY_FOREVER, ...ONE_PER_ENDPOINT },
  { name: FAILING_WEBHOOKS, ...RETRY_FOREVER, ...ONE_PER_ENDPOINT },
];

/**
 * Limits of a process for sending webhooks. A run counts against `pace` while it works: not while
 * its endpoint has not answered for `activeMs`. `mostOpen` limits the connections. Endpoints that
 * fail have limits of their own, so that any number of them leaves the others alone.
 */
export const WEBHOOK_RUNS = [
  {
    queue: WEBHOOKS,
    isFailing: false,
    pace: { max: 16, maxWhileBusy: 8 },
    mostOpen: 300,
    activeMs: 100,
  },
  {
    queue: FAILING_WEBHOOKS,
    isFailing: true,
    pace: { max: 4, maxWhileBusy: 1 },
    mostOpen: 100,
    activeMs: 100,
  },
] as const;

/** The queue in which a mailing is sent. */
export const mailQueue = ({ number }: MailingName): string => {
  if (number === CANCELLATION_NUMBER) return CANCELLATION_MAIL;
  return number < 0 ? REFUND_MAIL : MAIL;
};

/** Second copies first: a person waits for them, and new certificates may be thousands. */
export const mailPriority = ({ number }: MailingName): number => (number === 0 ? 0 : 10);

/**
 * A process sends 9 mails a second at most, because mail servers have limits and sales have
 * priority.
 */
export const MAIL_POLLING = {
  pollingIntervalSeconds: 1,
  batchSize: 3,
  localConcurrency: 3,
  burstWhenBatchFull: false,
};

/** Pause between two looks for events that have no place in the feed. */
export const EVENTS_PAUSE_MS = 200;

/** Pause between two looks at the time limits of the law, which end with a day. */
export const LEGAL_CLOCKS_PAUSE_MS = 3_600_000;

/** Pause between two looks for alerts whose cause is gone. */
export const SETTLE_PAUSE_MS = 60_000;

/** Pause between two looks for alerts that operators are to be told of. */
export const TELL_PAUSE_MS = 10_000;

/**
 * Events of a step of a replay, the pause after a step, and the pause before the next look if there
 * is no replay. A replay of a million events takes some minutes.
 */
export const REPLAY = { max: 1_000, maxWhileBusy: 100, stepPauseMs: 100, pauseMs: 1_000 };

/** Cancellations are few: one more mail a second. */
export const NOTICE_POLLING = { ...MAIL_POLLING, batchSize: 1, localConcurrency: 1 };

/**
 * Mails handed over at a time, and the pause between two times. It is no more than can be sent
 * meanwhile: during a rush of sales their mails stay in their own table and cost nothing more. In a
 * rush mails are handed over every half minute only, because a certificate takes as much of the
 * processor as a hundred sales.
 */
export const HAND_OVER = { max: 10, maxWhileBusy: 2, pausesInRush: 30, pauseMs: 1_000 };
